// The history: who changed or removed which animal and when, what it was before, and the way back.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../ui/dialog.tsx";
import { FilterInput } from "../ui/filter.tsx";
import { int64 } from "../ui/form.tsx";
import { capitalise, formatTime, PetName, toPetLabel } from "../ui/format.tsx";
import { Shown, useResource } from "../ui/resource.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { putBack } from "./changes.tsx";
import { type Entry, type Page, readHistory, toAuthor } from "./entry.ts";
import {
	isSame,
	type Pet,
	toChangedNames,
	toFieldTitle,
	Value,
} from "./pet.tsx";
import { canLeave, go, place } from "./route.ts";

export function HistoryView() {
	const { by = "", pet = "" } = place.value.query;
	const pages = useSignal(1);
	useEffect(() => {
		pages.value = 1;
	}, [by, pet]);
	const found = useResource(
		async (ending) => {
			const entries: Entry[] = [];
			let cursor: string | undefined = "";
			for (let count = 0; count < pages.value && cursor !== undefined; ) {
				const page: Page = await readHistory({ pet, by, cursor }, ending);
				const own = page.entries.filter((entry) => isBy(entry, by));
				entries.push(...own);
				cursor = page.next === undefined ? undefined : String(page.next);
				// One request searches a limited number of entries, and may find none.
				if (own.length > 0) count++;
			}
			return { entries, hasMore: cursor !== undefined };
		},
		[by, pet, pages.value],
		undefined,
	);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>History</h1>
			</div>
			<Filters entries={found.value?.entries ?? []} />
			<Shown of={found}>
				{({ entries, hasMore }) => (
					<>
						{entries.length > 0 ? (
							<Entries entries={entries} />
						) : (
							<Empty isFiltered={by + pet !== ""} />
						)}
						{hasMore && (
							<p class="further">
								<Button class="minor" onClick={() => pages.value++}>
									Show older changes
								</Button>
							</p>
						)}
					</>
				)}
			</Shown>
		</>
	);
}

/** The service filters too, but not the history of one animal. */
function isBy({ by }: Entry, wanted: string): boolean {
	if (wanted === "") return true;
	return Object.values(by ?? {}).some((value) => String(value) === wanted);
}

function Filters({ entries }: { entries: readonly Entry[] }) {
	const { by = "", pet = "" } = place.value.query;
	const authors = new Set(
		entries.flatMap((entry) => (entry.by ? [toAuthor(entry.by)] : [])),
	);
	return (
		<search class="filters">
			<FilterInput
				label="By whom"
				value={by}
				onChoose={(by) => go({ by })}
				list="authors"
			/>
			<datalist id="authors">
				{[...authors].map((author) => (
					<option key={author} value={author} />
				))}
			</datalist>
			<FilterInput
				label="Animal's id"
				value={pet}
				onChoose={(pet) => go({ pet })}
				{...int64}
			/>
			{by + pet !== "" && (
				<Button class="plain" onClick={() => go({ by: "", pet: "" })}>
					Clear
				</Button>
			)}
		</search>
	);
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
	return (
		<div class="empty">
			<h2>{isFiltered ? "No change matches" : "No changes yet"}</h2>
			<p>
				{isFiltered
					? "Enter the whole name of a person or key, or “link”, or “command line”."
					: "When somebody changes or removes an animal, you see here who did it, when, and what the animal was before. You can put that back."}
			</p>
		</div>
	);
}

interface EntriesProps {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** The current content, which needs no button. */
	readonly current?: Pet | undefined;
	readonly onPutBack?: () => void;
}

export function Entries({ entries, ...props }: EntriesProps) {
	return (
		<Table
			class="entries"
			rows={entries}
			columns={toColumns(props)}
			toKey={({ petId, kind, pet, before }) =>
				`${petId} ${kind} ${pet?.version ?? before?.version}`
			}
		/>
	);
}

function toColumns({
	current,
	onPutBack,
}: Omit<EntriesProps, "entries">): readonly Column<Entry>[] {
	return [
		{
			title: "Animal",
			kind: "head",
			cell: ({ petId, pet, before }) => (
				<>
					<a href={`#catalogue?pet=${petId}`}>
						<PetName name={(pet ?? before)?.name ?? ""} />
					</a>
					<span class="detail">#{String(petId)}</span>
				</>
			),
		},
		{ title: "Change", kind: "block", cell: toChange },
		{
			title: "By",
			isPlain: true,
			cell: ({ by }) => <bdi>{by ? toAuthor(by) : "unknown"}</bdi>,
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
}

function toChange({ petId, kind, pet, before }: Entry) {
	if (pet === undefined || before === undefined) {
		// The first version of an animal is its id.
		const isPutBack = kind === "added" && pet && pet.version !== petId;
		return <p class="kind">{isPutBack ? "Put back" : capitalise(kind)}</p>;
	}
	return (
		<dl class="differences">
			{toChangedNames(before, pet).map((name) => (
				<div key={name}>
					<dt>{toFieldTitle(name)}</dt>
					<dd>
						<del>
							<Value pet={before} name={name} />
						</del>{" "}
						→{" "}
						<ins>
							<Value pet={pet} name={name} />
						</ins>
					</dd>
				</div>
			))}
		</dl>
	);
}
