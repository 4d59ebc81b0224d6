// Finds animals by status, category, id and a part of the name. A search runs in short turns and ends after a while, so that it cannot slow
// down other requests.
import { createTurns, withTimeout } from "../domain/async.ts";
import { toMaxId } from "../domain/cursor.ts";
import { overloaded, storeUnavailable } from "../domain/errors.ts";
import { type PetFilter, toIndexed, toPetTest } from "../domain/filter.ts";
import type { StoredPet } from "../domain/pet.ts";
import {
	maxLooked,
	operatorAnswerMs,
	searchMs,
	searchPauseMs,
	searchSlice,
} from "../limits.ts";
import { type Catalogue, isFirstPage } from "../store/catalogue.ts";

/** Concurrent searches. They take turns. */
const maxSearches = 16;

interface Search {
	readonly filter: PetFilter;
	readonly limit: number;
	/** Where it starts. */
	readonly maxId: bigint;
}

interface Found {
	readonly pets: readonly StoredPet[];
	/** The last animal that was searched; undefined if no animal follows it. */
	readonly lastId: bigint | undefined;
}

export type Find = (search: Search) => Promise<Found>;

export function createFind(
	{ listPets, getPet }: Pick<Catalogue, "listPets" | "getPet">,
	isLimited: boolean,
): Find {
	const takeTurn = createTurns(searchPauseMs);
	let searches = 0;

	async function findOne(id: bigint, filter: PetFilter): Promise<Found> {
		const pet = await getPet(id);
		const fits = toPetTest(filter);
		const isFound =
			pet !== undefined &&
			(filter.status ?? pet.status) === pet.status &&
			(fits?.(pet) ?? true);
		return { pets: isFound ? [pet] : [], lastId: undefined };
	}

	function searchInTurns(asked: Search): Promise<Found> {
		const start = performance.now();
		const isOlderThan = (ms: number) => performance.now() - start > ms;
		return search(
			(page) =>
				takeTurn(() => {
					// The caller has its reply.
					if (isOlderThan(operatorAnswerMs)) throw overloaded;
					return listPets(page);
				}),
			asked,
			(looked) => looked + searchSlice > maxLooked || isOlderThan(searchMs),
		);
	}

	return async function find(asked) {
		const { id } = asked.filter;
		if (id !== undefined) return findOne(id, asked.filter);
		// Without a test, it reads no more than a list does.
		if (!isLimited || toPetTest(asked.filter) === undefined)
			return search(listPets, asked, () => false);
		if (searches >= maxSearches) throw overloaded;
		searches++;
		try {
			const searching = searchInTurns(asked);
			return await withTimeout(operatorAnswerMs, searching, storeUnavailable);
		} finally {
			searches--;
		}
	};
}

/** Reads slices of the catalogue by `read`, until it has found enough, has seen everything, or `isEnough` says to stop. */
async function search(
	read: Catalogue["listPets"],
	{ filter, limit, maxId: first }: Search,
	isEnough: (looked: number) => boolean,
): Promise<Found> {
	const indexed = toIndexed(filter);
	const fits = toPetTest(filter);
	const pets: StoredPet[] = [];
	// The catalogue caches a first page. A small first slice must not displace the pages of lists.
	const firstSize = isFirstPage({ maxId: first }) ? 1 : searchSlice;
	for (let maxId = first, looked = 0, size = firstSize; ; ) {
		// Without a test every animal fits, so no more than `limit` are needed.
		if (fits === undefined) size = Math.min(limit - pets.length, searchSlice);
		// One extra animal shows whether another follows.
		const slice = await read({ ...indexed, limit: size + 1, maxId });
		const taken = take(slice.slice(0, size), fits, pets, limit);
		looked += taken;
		if (taken === slice.length) return { pets, lastId: undefined };
		const lastId = slice[taken - 1]?.id;
		if (lastId === undefined || pets.length === limit || isEnough(looked))
			return { pets, lastId };
		maxId = toMaxId(lastId);
		size = searchSlice;
	}
}

/** Adds fitting animals to `pets` up to `limit`. Returns how many it looked at. */
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
