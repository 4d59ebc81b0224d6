// Changes and removes animals: single ones, or all that a filter finds. Each function is a part of one transaction.
import type { Authored } from "../../domain/access/author.ts";
import { Failure } from "../../domain/errors.ts";
import { toMaxId } from "../../domain/pet/cursor.ts";
import type { PetFilter } from "../../domain/pet/filter.ts";
import type { GivenPet, PetPatch, StoredPet } from "../../domain/pet/pet.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import type { VersionCondition } from "../../domain/version.ts";
import type { Engine } from "../database/engine.ts";
import {
	findAmong,
	inParts,
	mayPause,
	partRows,
	toAmong,
	type Work,
} from "../database/sql.ts";
import { petColumns } from "../database/tables.ts";
import { beginEdit, type Ended, openEdit } from "../edits/edit.ts";
import { askWithState } from "../edits/totals.ts";
import { type Plan, pack, unpack } from "./planned.ts";
import { type Found, readSlice } from "./search.ts";

/** An animal with the epoch of the database, which is a part of its ETag. */
export interface FoundPet extends StoredPet {
	readonly epoch: string;
}

export interface PetChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<GivenPet> | undefined;
	/** Versions that the animal may have before all changes. If it has another, no change is made. */
	readonly condition?: VersionCondition;
	/** What a removed animal is put back as. Without it, a removed animal counts as missing. */
	readonly putBack?: StoredPet | undefined;
}

export type Changed = MadeChanges | ChangeRefused;

export interface MadeChanges extends Ended {
	readonly outcome: "changed";
	/** For each change, its animal after all changes; undefined if it was removed. */
	readonly pets: readonly (FoundPet | undefined)[];
}

/** The first change that was impossible. No change was made. */
export type ChangeRefused =
	| { readonly outcome: "missing"; readonly index: number }
	/** The animal has another version; `pet` is its current state. */
	| {
			readonly outcome: "differs";
			readonly index: number;
			readonly pet: FoundPet;
	  };

/** The changes of one caller: all of them are made, or none. */
export interface Call {
	readonly changes: readonly PetChange[];
	/** Undefined if no history is kept. */
	readonly authored: Authored | undefined;
}

/** The calls in their order, in one transaction. */
export function* changePets(calls: readonly Call[]): Work<readonly Changed[]> {
	const results: Changed[] = [];
	for (const call of calls) results.push(yield* changeTogether(call));
	return results;
}

function* changeTogether({ changes, authored }: Call): Work<Changed> {
	const ids = changes.map(({ petId }) => petId);
	const { last, epoch, rows } = yield* askWithState<StoredPet>(
		toAmong(...toFind(ids)),
	);
	const pets = new Map(rows.map((pet) => [pet.id, pet]));
	const changed = toChanged(changes, pets, epoch);
	if ("outcome" in changed) return changed;
	const edit = openEdit(last, authored);
	const written = yield* edit.write(
		[...changed].map(([id, after]) => ({ before: pets.get(id), after })),
	);
	const found = new Map([...pets, ...written]);
	return {
		outcome: "changed",
		...(yield* edit.end()),
		pets: ids.map((id) => {
			const pet = found.get(id);
			return pet && { ...pet, epoch };
		}),
	};
}

/** The animals after the changes of one call, or the first change that is impossible. */
function toChanged(
	changes: readonly PetChange[],
	pets: ReadonlyMap<bigint, StoredPet>,
	epoch: string,
): ReadonlyMap<bigint, StoredPet | undefined> | ChangeRefused {
	const after = new Map<bigint, StoredPet | undefined>();
	for (const [index, { petId, set, condition, putBack }] of changes.entries()) {
		const before = pets.get(petId);
		const pet = after.has(petId) ? after.get(petId) : before;
		// Each change of an animal that is missing before must put it back. None may follow a removal.
		if (pet === undefined ? !putBack || after.has(petId) : !before && !putBack)
			return { outcome: "missing", index };
		if (before !== undefined && !isMet(condition, epoch, before.version))
			return { outcome: "differs", index, pet: { ...before, epoch } };
		after.set(petId, set && (pet ? { ...pet, ...set } : putBack));
	}
	return after;
}

/** The condition has versions, with or without an epoch, between commas. */
function isMet(
	condition: PetChange["condition"],
	epoch: string,
	version: bigint,
): boolean {
	return (
		condition === undefined ||
		condition.includes(`,${version},`) ||
		condition.includes(`,${epoch}-${version},`)
	);
}

function toFind(ids: readonly bigint[]): Parameters<typeof toAmong> {
	const different = [...new Set(ids)].map((id) => [id]);
	return [
		"get animals",
		`SELECT ${petColumns} FROM pets WHERE id IN (#)`,
		different,
	];
}

export function* findPets(
	ids: readonly bigint[],
): Work<Map<bigint, StoredPet>> {
	const pets = yield* findAmong<StoredPet>(...toFind(ids));
	return new Map(pets.map((pet) => [pet.id, pet]));
}

/** Animals that one request changes, or undoes. */
export const maxChangedAnimals = 100_000;

export interface ChangeOfAll {
	readonly filter: PetFilter;
	/** Undefined removes the animals. */
	readonly set: PetPatch | undefined;
	/** How many animals the caller believes to change. */
	readonly expected: number;
}

export function* planChangeOfAll(
	engine: Engine,
	{ filter, set, expected }: ChangeOfAll,
	authored: Authored | undefined,
): Work<Plan<Ended>> {
	const parts: Buffer[] = [];
	const planned = new Set<bigint>();
	let count = 0;
	for (let maxId: bigint | undefined = toMaxId(); maxId !== undefined; ) {
		const { pets, lastId }: Found = yield* readSlice(
			engine,
			{ filter, limit: partRows, maxId },
			partRows,
		);
		count += pets.length;
		if (count <= maxChangedAnimals) {
			parts.push(pack(pets));
			for (const { id } of pets) planned.add(id);
		}
		maxId = lastId && toMaxId(lastId);
	}
	requireCount(count, expected);
	/** What others have changed since. */
	const later = new Map<bigint, StoredPet | undefined>();

	return {
		filter,
		follow(id, pet) {
			const was = later.has(id) ? later.get(id) : planned.has(id);
			count += Number(pet !== undefined) - Number(Boolean(was));
			if (pet || planned.has(id)) later.set(id, pet);
			else later.delete(id);
		},
		*write() {
			requireCount(count, expected);
			const edit = yield* beginEdit(authored);
			const write = (found: readonly StoredPet[]) =>
				edit.write(
					found.map((before) => ({
						before,
						after: set && { ...before, ...set },
					})),
				);
			for (const part of parts.reverse()) {
				yield mayPause;
				yield* write(
					unpack<StoredPet>(part)
						.filter(({ id }) => !later.has(id))
						.reverse(),
				);
			}
			const changed = [...later.values()].filter((pet) => pet !== undefined);
			for (const part of inParts(changed)) yield* write(part);
			return { result: yield* edit.end() };
		},
	};
}

function requireCount(count: number, expected: number): void {
	if (count > maxChangedAnimals)
		throw new Failure(
			"conflict",
			`${toCountText(count)} animals match, and at most ${toCountText(maxChangedAnimals)} are changed at once. Nothing was done.`,
		);
	if (count !== expected)
		throw new Failure(
			"precondition_failed",
			`${toQuantity(count, "animal")} found, not ${toCountText(expected)} as expected. Nothing was done.`,
		);
}
