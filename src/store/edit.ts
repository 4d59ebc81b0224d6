// Writes an edit: animals that are changed, removed or put back, with their entries in feed and history, and the numbers of animals. Each
// function is a part of one transaction, and no other one writes at the same time.
import type { Authored } from "../domain/author.ts";
import { idsExhausted } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import {
	givenNames,
	type NewPet,
	type PetStatus,
	type StoredPet,
} from "../domain/pet.ts";
import { toComparable } from "../domain/text.ts";
import {
	insertRows,
	type Row,
	type Statement,
	toAmong,
	type Work,
} from "./sql.ts";
import {
	type ChangeKind,
	type EditKind,
	noState,
	type State,
	selectState,
} from "./tables.ts";

/** An animal that is changed, removed or put back. */
export interface Replaced {
	readonly before: StoredPet | undefined;
	/** Undefined if the animal is removed. */
	readonly after: StoredPet | undefined;
}

interface EditOptions {
	/** If it is not given, the edit is "removed" or "changed". */
	readonly kind?: EditKind;
	readonly undoes?: bigint;
}

/** What an edit has done. */
export interface Ended {
	/** Undefined if nothing had to be changed, or no history is kept. */
	readonly edit?: bigint | undefined;
	/** How many animals were put back or imported, changed and removed. */
	readonly totals: Readonly<Record<ChangeKind, number>>;
}

/** An edit in parts, all of one transaction. */
export function* beginEdit(
	/** Undefined if no history is kept: then there is no edit. */
	authored: Authored | undefined,
	options?: EditOptions,
) {
	return openEdit((yield* askWithCounter()).last, authored, options);
}

export function openEdit(
	last: bigint,
	authored: Authored | undefined,
	{ kind, undoes }: EditOptions = {},
) {
	const edit = last + 1n;
	const totals = { added: 0, changed: 0, removed: 0 };
	const counts = createCounts();

	return {
		/** Of animals. The end writes them. */
		counts,

		/** Returns each animal that was not the same before, by its id. It gets a version, which is its position in the feed. */
		*write(
			replaced: readonly Replaced[],
		): Work<ReadonlyMap<bigint, Replaced["after"]>> {
			const first = last;
			const written = new Map<bigint, Replaced["after"]>();
			const pets: Row[] = [];
			const removed: [bigint][] = [];
			const entries: Row[] = [];
			const history: Row[] = [];
			for (const { before, after } of replaced) {
				if (hasSameContent(before, after)) continue;
				const position = ++last;
				const petId = (after ?? before)?.id ?? 0n;
				const pet = after && { ...after, version: position };
				const kind = toKind(before, after);
				written.set(petId, pet);
				if (pet) pets.push(toPetRow(pet));
				else removed.push([petId]);
				const entry = { petId, kind, position };
				entries.push(entry);
				history.push({ ...before, ...entry, edit });
				totals[kind]++;
				if (before) counts.add(before, -1);
				if (pet) counts.add(pet, 1);
			}
			yield* setCounter(first, last);
			yield* insertRows("pets", pets, "replace");
			for (const runs of toAmong("delete animals", deletePets, removed))
				yield { runs };
			yield* insertRows("changes", entries, "replace");
			if (authored) yield* insertRows("history", history);
			return written;
		},

		/** `imported` animals were added after all others. */
		*end(imported = 0): Work<Ended> {
			totals.added += imported;
			yield* counts.write();
			const { added, changed, removed } = totals;
			if (authored === undefined || added + changed + removed === 0)
				return { totals };
			const found = added + changed === 0 ? "removed" : "changed";
			const row = { id: edit, kind: kind ?? found, ...totals, undoes };
			yield* insertEdit(authored, row);
			return { edit, totals };
		},
	};
}

const deletePets = "DELETE FROM pets WHERE id IN (#)";

function toKind(before?: StoredPet, after?: StoredPet): ChangeKind {
	if (after === undefined) return "removed";
	return before ? "changed" : "added";
}

export function hasSameContent(one?: NewPet, other?: NewPet): boolean {
	return givenNames.every((name) => one?.[name] === other?.[name]);
}

/** `edit` has the other columns. */
export function insertEdit(
	{ at, by: author }: Authored,
	edit: Row,
): Work<void> {
	return insertRows("edits", [{ ...edit, at, author }]);
}

/** The columns of an animal. */
export function toPetRow(pet: StoredPet): Row {
	return { ...pet, foldedName: toComparable(pet.name) };
}

/** The counter of ids and positions with its epoch, and the rows of other statements: one question. */
export function* askWithCounter<Found>(
	statements: readonly Statement[] = [],
): Work<State & { readonly rows: readonly Found[] }> {
	const [found, ...others] = yield {
		asks: [
			{ name: "read state", text: selectState, values: [] },
			...statements,
		],
	};
	const { epoch, last }: State = found?.[0] ?? noState;
	return { epoch, last, rows: others.flat() };
}

/** Fails if the counter is not what it was, because another transaction writes at the same time. */
export function* setCounter(from: bigint, to: bigint): Work<void> {
	if (to > maxInt64) throw idsExhausted;
	if (from !== to) yield { moves: { from, last: to } };
}

export type Counts = ReturnType<typeof createCounts>;

/** What a transaction adds to the numbers of animals. Written once at its end: PostgreSQL walks through all versions of a row that it made. */
export function createCounts() {
	const sums = new Map<PetStatus, Map<bigint, number>>();
	return {
		add({ categoryId, status }: NewPet, pets: number): void {
			const ofStatus = sums.get(status) ?? new Map<bigint, number>();
			sums.set(status, ofStatus);
			ofStatus.set(categoryId, (ofStatus.get(categoryId) ?? 0) + pets);
		},
		*write(): Work<void> {
			const rows: Row[] = [];
			for (const [status, ofStatus] of sums)
				for (const [categoryId, pets] of ofStatus)
					if (pets !== 0) rows.push({ categoryId, status, pets });
			yield* insertRows("counts", rows, "add");
		},
	};
}
