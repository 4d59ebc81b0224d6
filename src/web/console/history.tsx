// The history: who changed or removed which animals and when, what they were before, and the way back.

import { get, toQuery } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { FilterInput } from "../ui/filter.tsx";
import { int64 } from "../ui/form.tsx";
import {
	capitalise,
	formatAnimals,
	formatCount,
	formatTime,
	PetName,
	toPetLabel,
} from "../ui/format.tsx";
import { Shown, usePages, useResource } from "../ui/resource.tsx";
import { signal } from "../ui/state.ts";
import { type Column, Table } from "../ui/table.tsx";
import { askAbove, putBack, undo } from "./changes.tsx";
import {
	type Author,
	type Edit,
	type Entries as EntriesPage,
	type Entry,
	toAuthor,
	toSubject,
	toTotal,
} from "./entry.ts";
import { isSame, type Pet, toChangedFields, Value } from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";

const noFilter = { name: "", by: "", pet: "", edit: "" };

export function HistoryView() {
	const { name, by, pet: petId, edit } = place.value.query;
	const query = toQuery({ name, by, petId, edit });
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>History</h1>
			</div>
			<Filters />
			{edit && <OneEdit key={edit} id={edit} />}
			{query ? <Found query={query} /> : <AllEdits />}
		</>
	);
}

/** Whose edits were seen, to choose from. */
const authors = signal<ReadonlySet<string>>(new Set());

function noteAuthors(rows: readonly { readonly by?: Author }[]): void {
	const seen = rows.flatMap(({ by }) =>
		by ? [by.name ?? String(by.keyId ?? by.kind)] : [],
	);
	authors.value = authors.value.union(new Set(seen));
}

function Filters() {
	const { name = "", by = "", pet = "", edit = "" } = place.value.query;
	return (
		<search class="filters">
			<FilterInput
				label="Search by name"
				type="search"
				class="by-name"
				isLive
				value={name}
				onChoose={(chosen) => go({ name: chosen }, name !== "")}
			/>
			<FilterInput
				label="By whom"
				value={by}
				onChoose={(by) => go({ by })}
				list="authors"
			/>
			<datalist id="authors">
				{[...authors.value].map((author) => (
					<option key={author} value={author} />
				))}
			</datalist>
			<FilterInput
				label="Animal's id"
				value={pet}
				onChoose={(pet) => go({ pet })}
				{...int64}
			/>
			{name + by + pet + edit !== "" && (
				<Button class="plain" onClick={() => go(noFilter)}>
					{edit ? "All changes" : "Clear"}
				</Button>
			)}
		</search>
	);
}

function AllEdits() {
	const found = usePages(async (page, ending) => {
		const { edits, next } = await get<{
			edits: readonly Edit[];
			next?: bigint;
		}>(`/edits?${page}`, ending);
		await readSingles(edits, ending);
		noteAuthors(edits);
		return { rows: edits, next };
	});
	return (
		<Shown of={found}>
			{({ rows }) =>
				rows.length > 0 ? (
					<Edits edits={rows} />
				) : (
					<div class="empty">
						<h2>No changes yet</h2>
						<p>
							When somebody changes or removes an animal, you see here who did
							it, when, and what the animal was before. You can undo that.
						</p>
					</div>
				)
			}
		</Shown>
	);
}

/** The entries of edits of one animal, by edit. They stay the same. */
const singles = new Map<bigint, Entry>();

/** One request reads the entries of many edits. */
async function readSingles(
	edits: readonly Edit[],
	ending: AbortSignal,
): Promise<void> {
	for (const { id, addedIds, ...edit } of edits) {
		const isSingle = edit.added + edit.changed + edit.removed === 1n;
		if (!isSingle || addedIds || singles.has(id)) continue;
		// The first entry of an edit has its id as its place.
		const path = `/history?limit=100&cursor=${id + 1n}`;
		for (const entry of (await get<EntriesPage>(path, ending)).entries)
			singles.set(entry.edit ?? 0n, entry);
	}
}

function OneEdit({ id }: { id: string }) {
	const found = useResource(
		async (ending) => {
			const edit = await get<Edit>(`/edits/${id}`, ending);
			await readSingles([edit], ending);
			return edit;
		},
		[],
		undefined,
	);
	return <Shown of={found}>{(edit) => <Edits edits={[edit]} />}</Shown>;
}

function Edits({ edits }: { edits: readonly Edit[] }) {
	const columns: readonly Column<Edit>[] = [
		{ title: "Edit", kind: "head", cell: toEditTitle },
		{ title: "Change", kind: "block", cell: toEditChange },
		{ title: "When", isPlain: true, cell: ({ at }) => formatTime(at) },
		{
			title: "Actions",
			kind: "actions",
			cell: (edit) => {
				const by = edits.find(({ id }) => id === edit.undoneBy)?.by;
				if (edit.undoneBy !== undefined)
					return <span class="soft">Undone{by && ` by ${toAuthor(by)}`}</span>;
				return edit.kind === "restored" ? null : <Undo edit={edit} />;
			},
		},
	];
	return (
		<Table
			class="entries edits"
			rows={edits}
			columns={columns}
			toKey={({ id }) => id}
		/>
	);
}

function Undo({ edit }: { edit: Edit }) {
	const count = toTotal(edit);
	const text = toEditText(edit);
	return (
		<Button
			class="plain"
			aria-label={`Undo: ${text}`}
			onClick={() =>
				askAbove(count, {
					title: `Undo a change of ${formatAnimals(count)}?`,
					submit: "Undo",
					children: <p>{text}.</p>,
					run: () => undo(edit.id),
				})
			}
		>
			Undo
		</Button>
	);
}

/** Like “Front desk removed 20,088 animals”. */
function toEditTitle(edit: Edit) {
	const entry = singles.get(edit.id);
	if (toTotal(edit) > 1 || !entry)
		return <a href={`#history?edit=${edit.id}`}>{toEditText(edit)}</a>;
	return (
		<>
			{toEditText(edit, "")}
			<EntryTitle {...entry} />
		</>
	);
}

function toEditText(edit: Edit, what = formatAnimals(toTotal(edit))): string {
	const { kind, added, changed, removed } = edit;
	const verbs = {
		changed: [added && "put back", changed && "changed", removed && "removed"]
			.filter(Boolean)
			.join(" and "),
		removed: "removed",
		imported: "imported",
		restored: "restored a backup of",
		undone: "undid a change of",
	};
	return `${toSubject(edit.by)} ${verbs[kind]} ${what}`;
}

function toEditChange(edit: Edit) {
	const { kind, added, changed, removed, addedIds } = edit;
	const entry = singles.get(edit.id);
	if (kind === "removed") return null;
	if (toTotal(edit) === 1 && entry) return toChange(entry);
	if (kind === "changed") return null;
	const ids = addedIds ? ` (#${addedIds.from} to #${addedIds.to})` : "";
	const counts = [
		[kind === "undone" ? "put back" : `added${ids}`, added],
		["changed", changed],
		["removed", removed],
	] as const;
	return counts
		.filter(([, count]) => count > 0n)
		.map(([what, count]) => `${formatCount(count)} ${what}`)
		.join(", ");
}

function Found({ query }: { query: string }) {
	const found = usePages(
		async (page, ending) => {
			const { entries: rows, next } = await get<EntriesPage>(
				`/history?${query}&${page}`,
				ending,
			);
			noteAuthors(rows);
			return { rows, next };
		},
		[query],
	);
	return (
		<Shown of={found}>
			{({ rows }) => (
				<>
					<Entries entries={rows} />
					{rows.length === 0 && !place.value.query.edit && (
						<div class="empty">
							<h2>No change matches</h2>
							<p>
								A part of a name finds an animal. Of who made a change, enter
								the whole name, or “link”, or “command line”.
							</p>
						</div>
					)}
				</>
			)}
		</Shown>
	);
}

interface EntriesProps {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** The current content, which needs no button. */
	readonly current?: Pet | undefined;
	readonly onPutBack?: () => void;
}

export function Entries({ entries, current, onPutBack }: EntriesProps) {
	const columns: readonly Column<Entry>[] = [
		{ title: "Animal", kind: "head", cell: EntryTitle },
		{ title: "Change", kind: "block", cell: toChange },
		{
			title: "By",
			isPlain: true,
			cell: ({ by }) => toSubject(by),
		},
		{
			title: "When",
			isPlain: true,
			cell: ({ at }) => (at ? formatTime(at) : "time unknown"),
		},
		{
			title: "Actions",
			kind: "actions",
			cell: ({ before }) =>
				before &&
				!isSame(before, current) && (
					<Button
						class="plain"
						aria-label={`Put back ${toPetLabel(before)}, version ${before.version}`}
						onClick={async () => {
							if (canLeave() && (await putBack(before))) onPutBack?.();
						}}
					>
						Put back
					</Button>
				),
		},
	];
	return (
		<Table
			class="entries"
			rows={entries}
			columns={columns}
			toKey={({ petId, kind, pet, before }) =>
				`${petId} ${kind} ${pet?.version ?? before?.version}`
			}
		/>
	);
}

function EntryTitle({ petId, pet, before }: Entry) {
	return (
		<>
			<a href={`#catalogue?pet=${petId}`}>
				<PetName name={(pet ?? before)?.name ?? ""} />
			</a>{" "}
			<span class="detail">#{String(petId)}</span>
		</>
	);
}

function toChange({ petId, kind, pet, before }: Entry) {
	if (pet === undefined || before === undefined) {
		// The first version of an animal is its id.
		const isPutBack = kind === "added" && pet && pet.version !== petId;
		return <p class="kind">{isPutBack ? "Put back" : capitalise(kind)}</p>;
	}
	return (
		<dl class="differences">
			{toChangedFields(before, pet).map((field) => (
				<div key={field.name}>
					<dt>{field.title}</dt>
					<dd>
						<del>
							<Value pet={before} field={field} />
						</del>{" "}
						→{" "}
						<ins>
							<Value pet={pet} field={field} />
						</ins>
					</dd>
				</div>
			))}
		</dl>
	);
}
