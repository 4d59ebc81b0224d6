// The history: who changed or removed which animals and when, what they were before, and the way back.

import { useLayoutEffect, useRef } from "preact/hooks";
import { toCountText } from "../../domain/quantity.ts";
import { toQuery } from "../../domain/text.ts";
import { get } from "../ui/api.ts";
import { Button, focusHeading } from "../ui/dialog.tsx";
import { FilterInput, int64 } from "../ui/field.tsx";
import {
	capitalise,
	formatAnimals,
	formatTime,
	PetName,
	toPetLabel,
} from "../ui/format.tsx";
import { Shown, usePages } from "../ui/resource.tsx";
import { type Column, List, Table, type TableProps } from "../ui/table.tsx";
import {
	askAbove,
	type Edit,
	type Entries as EntriesPage,
	type Entry,
	putBack,
	toAuthor,
	toTotal,
	undo,
} from "./changes.tsx";
import { Differences, isSame, type Pet } from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";

export function HistoryView() {
	const { name = "", by = "", pet = "", edit = "" } = place.value.query;
	const query = toQuery({ name, by, petId: pet, edit });
	return (
		<>
			<search class="filters">
				<FilterInput
					label="Search by name"
					type="search"
					class="by-name"
					isLive
					value={name}
					onChoose={(text) => go({ name: text }, name !== "")}
				/>
				<FilterInput label="By whom" value={by} onChoose={(by) => go({ by })} />
				<FilterInput
					label="Animal's id"
					value={pet}
					onChoose={(pet) => go({ pet })}
					{...int64}
				/>
				{query && (
					<Button
						class="plain"
						onClick={() => go({ name: "", by: "", pet: "", edit: "" })}
					>
						{edit ? "All changes" : "Clear"}
					</Button>
				)}
			</search>
			{(edit || !query) && <Edits id={edit} />}
			{query && <Found query={query} isEdit={edit !== ""} />}
		</>
	);
}

/** One, or all if the id is empty. */
function Edits({ id }: { id: string }) {
	const found = usePages(async (page, ending) => {
		const { edits, next }: { edits: readonly Edit[]; next?: bigint } = id
			? { edits: [await get<Edit>(`/edits/${encodeURIComponent(id)}`, ending)] }
			: await get(`/edits?${toQuery(page)}`, ending);
		await readSingles(edits, ending);
		return { rows: edits, next };
	}, id);
	return (
		<List
			of={found}
			class="entries edits"
			columns={toEditColumns(found.value ?? [])}
			toKey={({ id }) => id}
			empty={[
				"No changes yet",
				"When somebody adds, changes or removes an animal here, you see who did it, when, and what the animal was before. You can undo that.",
			]}
		/>
	);
}

/** The entries of edits of one animal, by edit. They stay the same. */
const singles = new Map<bigint, Entry>();

/** One request reads the entries of many edits. */
async function readSingles(
	edits: readonly Edit[],
	ending: AbortSignal,
): Promise<void> {
	for (const edit of edits) {
		const { id, addedIds } = edit;
		if (toTotal(edit) !== 1 || addedIds || singles.has(id)) continue;
		// The first entry of an edit has its id as its place.
		const path = `/history?limit=100&cursor=${id + 1n}`;
		for (const entry of (await get<EntriesPage>(path, ending)).entries)
			singles.set(entry.edit ?? 0n, entry);
	}
}

function toSingle(edit: Edit): Entry | undefined {
	return toTotal(edit) === 1 ? singles.get(edit.id) : undefined;
}

function toEditColumns(edits: readonly Edit[]): readonly Column<Edit>[] {
	return [
		{ title: "Edit", kind: "name", cell: toEditTitle },
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
}

function Undo({ edit }: { edit: Edit }) {
	const count = toTotal(edit);
	const text = toEditText(edit);
	const own = useRef<HTMLButtonElement>(null);
	useLayoutEffect(
		() => () => {
			if (own.current === document.activeElement) focusHeading();
		},
		[],
	);
	return (
		<Button
			ref={own}
			class="plain"
			aria-label={`Undo: ${text}`}
			onClick={() =>
				askAbove(count, {
					title: `Undo a change of ${formatAnimals(count)}?`,
					submit: "Undo",
					text: `${text}.`,
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
	const entry = toSingle(edit);
	if (!entry)
		return <a href={`#history?edit=${edit.id}`}>{toEditText(edit)}</a>;
	return (
		<>
			{toEditText(edit, entry)}
			<EntryTitle {...entry} />
		</>
	);
}

/** Without the animal if it is the only one. */
function toEditText(edit: Edit, single?: Entry): string {
	const { kind, added, changed, removed } = edit;
	// What a backup replaces is not in it.
	const count = kind === "restored" ? added : toTotal(edit);
	const what = single ? "" : formatAnimals(count);
	const isNew = isAdd(single ?? toSingle(edit));
	const verbs = {
		changed: [
			added && (isNew ? "added" : "put back"),
			changed && "changed",
			removed && "removed",
		]
			.filter(Boolean)
			.join(" and "),
		removed: "removed",
		imported: "imported",
		restored: "restored a backup of",
		undone: "undid a change of",
	};
	return `${capitalise(toAuthor(edit.by))} ${verbs[kind]} ${what}`;
}

function toEditChange(edit: Edit) {
	const { kind, added, changed, removed, addedIds } = edit;
	const entry = toSingle(edit);
	if (kind === "removed") return null;
	if (entry) return toChange(entry);
	if (kind === "changed") return null;
	const ids = addedIds ? ` (#${addedIds.from} to #${addedIds.to})` : "";
	const counts = [
		[kind === "undone" ? "put back" : `added${ids}`, added],
		["changed", changed],
		["removed", removed],
	] as const;
	return counts
		.filter(([, count]) => count > 0n)
		.map(([what, count]) => `${toCountText(count)} ${what}`)
		.join(", ");
}

function Found({ query, isEdit }: { query: string; isEdit: boolean }) {
	const found = usePages(
		async (page, ending) => {
			const path = `/history?${query}&${toQuery(page)}`;
			const { entries: rows, next } = await get<EntriesPage>(path, ending);
			return { rows, next };
		},
		query,
		place.value.query.name,
	);
	return (
		<Shown of={found}>
			{(rows) => <Entries entries={rows} {...(!isEdit && { empty })} />}
		</Shown>
	);
}

const empty = [
	"No change matches",
	"A part of a name finds an animal. Of who made a change, enter the whole name, or “link”, or “command line”.",
] as const;

interface EntriesProps extends Pick<TableProps<Entry>, "empty"> {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** The current content, which needs no button. */
	readonly current?: Pet | undefined;
	readonly onPutBack?: () => void;
}

export function Entries(props: EntriesProps) {
	const { entries, current, onPutBack, ...table } = props;
	const columns: readonly Column<Entry>[] = [
		{ title: "Animal", kind: "name", cell: EntryTitle },
		{ title: "Change", kind: "block", cell: toChange },
		{ title: "By", isPlain: true, cell: ({ by }) => capitalise(toAuthor(by)) },
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
			{...table}
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

function toChange(entry: Entry) {
	const { kind, pet, before } = entry;
	if (pet && before) return <Differences before={before} after={pet} />;
	const isPutBack = kind === "added" && pet && !isAdd(entry);
	return <p class="kind">{isPutBack ? "Put back" : capitalise(kind)}</p>;
}

/** The first version of an animal is its id. */
function isAdd(entry: Entry | undefined): boolean {
	return entry?.kind === "added" && entry.pet?.version === entry.petId;
}
