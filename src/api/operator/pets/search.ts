// Looks through the animals of the catalogue, newest first, for those that fit a filter.
import {
	type PetFilter,
	toIndexed,
	toPetTest,
} from "../../../contract/filter.ts";
import { maxInt64 } from "../../../domain/json.ts";
import type { StoredPet } from "../../../domain/pet.ts";
import { maxSliceLength, searchSlice } from "../../../limits.ts";
import type { Catalogue } from "../../../store/catalogue.ts";
import { bytesOf, isLong, readWhole } from "../../../store/queue/long-page.ts";

export interface Search {
	readonly filter: PetFilter;
	readonly limit: number;
	/** The first id to look at. */
	readonly maxId: bigint;
}

export interface Found {
	readonly pets: readonly StoredPet[];
	readonly looked: number;
	/** The last animal that was looked at; undefined if there is none after it. */
	readonly lastId: bigint | undefined;
}

/** Where the memory for animals with long names comes from. */
export interface Room {
	/** A negative number gives some back. */
	readonly take: (bytes: number) => void;
	/** Before a page is read. Fails if there is none. */
	readonly takePage: (bytes: number) => Promise<void>;
}

/** Reads slices of the catalogue by `read`, until it has found enough, has seen everything, or `isEnough` says to stop. */
export async function searchPets(
	read: Catalogue["listPets"],
	{ filter, limit, maxId: firstId }: Search,
	isEnough: (looked: number) => boolean,
	room: Room = { take() {}, async takePage() {} },
): Promise<Found> {
	const indexed = toIndexed(filter);
	const fits = toPetTest(filter);
	const pets: StoredPet[] = [];
	// A first page is cached, so the first slice is small: it must not displace the pages of lists.
	const firstSize = firstId === maxInt64 ? 1 : searchSlice;
	for (let maxId = firstId, looked = 0, size = firstSize; ; ) {
		// Without a test every animal fits, so no more than `limit` are needed.
		if (fits === undefined) size = Math.min(limit - pets.length, searchSlice);
		// One extra animal shows whether another follows.
		const listed = await read({ ...indexed, limit: size + 1, maxId });
		const bytes = isLong(listed) ? listed.bytes : 0;
		if (bytes > 0) await room.takePage(bytes);
		const slice = await readWhole(listed);
		const found = pets.length;
		const taken = take(slice.slice(0, size), fits, pets, limit);
		if (bytes > 0) room.take(bytesOf(pets.slice(found)) - bytes);
		looked += taken;
		if (taken === slice.length) return { pets, looked, lastId: undefined };
		const lastId = slice[taken - 1]?.id;
		if (lastId === undefined || pets.length === limit || isEnough(looked))
			return { pets, looked, lastId };
		maxId = lastId - 1n;
		size = toSize(slice);
	}
}

/** How many animals to read at once after this slice: fewer if their names are long. */
function toSize(slice: readonly StoredPet[]): number {
	const length = slice.reduce((sum, { name }) => sum + name.length, 0);
	const fitting = Math.floor((maxSliceLength * slice.length) / (length + 1));
	return Math.max(1, Math.min(searchSlice, fitting));
}

/** Adds those that fit to `pets` until it has `limit`. Returns how many were looked at. */
function take(
	slice: readonly StoredPet[],
	fits: ((pet: StoredPet) => boolean) | undefined,
	pets: StoredPet[],
	limit: number,
): number {
	for (const [index, pet] of slice.entries()) {
		if (fits === undefined || fits(pet)) pets.push(pet);
		if (pets.length === limit) return index + 1;
	}
	return slice.length;
}
