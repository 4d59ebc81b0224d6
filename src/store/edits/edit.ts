// Writes an edit: animals that are changed, removed or put back, with their entries in feed and history, and the numbers of animals. Each
// function is a part of one transaction, and no other one writes at the same time.
import type { Authored } from "../../domain/access/author.ts";
import type { ChangeKind, EditKind } from "../../domain/pet/change-kinds.ts";
import {
	type GivenPet,
	givenNames,
	type StoredPet,
} from "../../domain/pet/pet.ts";
import { toComparable } from "../../domain/text.ts";
import {
	foldedRows,
	insertRows,
	mayPause,
	type Row,
	toAmong,
	type Work,
} from "../database/sql.ts";
import { askWithState, createPetTotals, moveState } from "./totals.ts";

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
	return openEdit((yield* askWithState()).last, authored, options);
}

export function openEdit(
	last: bigint,
	authored: Authored | undefined,
	{ kind, undoes }: EditOptions = {},
) {
	const edit = last + 1n;
	const totals = { added: 0, changed: 0, removed: 0 };
	const petTotals = createPetTotals();

	return {
		/** Of animals. The end writes them. */
		petTotals,

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
			for (const [at, { before, after }] of replaced.entries()) {
				if (at % foldedRows === foldedRows - 1) yield mayPause;
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
				if (before) petTotals.add(before, -1);
				if (pet) petTotals.add(pet, 1);
			}
			yield* moveState(first, last);
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
			yield* petTotals.write();
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

export function hasSameContent(one?: GivenPet, other?: GivenPet): boolean {
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
