// Changes or removes all animals that a filter finds, in one transaction.
import type { Authored } from "../domain/author.ts";
import { toMaxId } from "../domain/cursor.ts";
import { Failure } from "../domain/errors.ts";
import type { PetFilter } from "../domain/filter.ts";
import type { PetPatch, StoredPet } from "../domain/pet.ts";
import { toCountText } from "../domain/quantity.ts";
import {
	beginEdit,
	hasSameContent,
	type MadeChanges,
	type Replaced,
} from "./changes.ts";
import type { Engine } from "./engine.ts";
import { type Found, readSlice } from "./search.ts";
import type { Work } from "./sql.ts";

/** Animals that one request changes, or undoes. */
export const maxChangedAnimals = 100_000;
/** Animals that are written at once. */
const partRows = 1_000;
/** Animals that are looked at before other requests are answered. */
const limit = 10_000;

export interface ChangeOfAll {
	readonly filter: PetFilter;
	/** Undefined removes the animals. */
	readonly set: PetPatch | undefined;
	/** How many animals the caller believes to change. */
	readonly expected: number;
	/** Cancels it, until the commit begins. */
	readonly signal: AbortSignal;
}

export function* changeAll(
	engine: Engine,
	{ filter, set, expected, signal }: ChangeOfAll,
	authored: Authored | undefined,
): Work<Pick<MadeChanges, "edit" | "totals">> {
	const found: StoredPet[] = [];
	let count = 0;
	for (let maxId: bigint | undefined = toMaxId(); maxId !== undefined; ) {
		const { pets, lastId }: Found = yield* readSlice(
			engine,
			{ filter, limit, maxId },
			limit,
		);
		count += pets.length;
		if (count <= maxChangedAnimals) found.push(...pets);
		maxId = lastId && toMaxId(lastId);
		signal.throwIfAborted();
	}
	if (count > maxChangedAnimals)
		throw new Failure(
			"conflict",
			`${toCountText(count)} animals match, and one request changes at most ${toCountText(maxChangedAnimals)}. Nothing was done.`,
		);
	if (count !== expected)
		throw new Failure(
			"precondition_failed",
			`${toCountText(count)} animals match, not ${toCountText(expected)} as expected. Nothing was done.`,
		);
	const replaced = found
		.reverse()
		.map(
			(before): Replaced => ({ before, after: set && { ...before, ...set } }),
		)
		.filter(({ before, after }) => !hasSameContent(before, after));
	const edit = yield* beginEdit(authored);
	for (let done = 0; done < replaced.length; done += partRows) {
		yield* edit.write(replaced.slice(done, done + partRows));
		signal.throwIfAborted();
	}
	return { edit: yield* edit.end(), totals: edit.totals };
}
