// findPets: animals by status, category, id and part of the name. A search runs in short turns and ends after a while, so that it cannot
// slow down other requests. countPets: their number, by status and category.
import { createTurns, withTimeout } from "../../../async/waiting.ts";
import { readFilter, readPlace } from "../../../contract/filter.ts";
import {
	counted,
	limit,
	searched,
} from "../../../contract/operator/pets/operations.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { toCursor, toMaxId } from "../../../domain/cursor.ts";
import { overloaded, storeUnavailable } from "../../../domain/errors.ts";
import {
	type PetFilter,
	toIndexed,
	toPetTest,
} from "../../../domain/filter.ts";
import { type StoredPet, storedPetToJson } from "../../../domain/pet.ts";
import type { Route } from "../../../http/surface.ts";
import {
	maxLooked,
	operatorAnswerMs,
	searchMs,
	searchPauseMs,
	searchSlice,
} from "../../../limits.ts";
import type { Counts } from "../../../operator/counts.ts";
import { type Catalogue, isFirstPage } from "../../../store/catalogue.ts";
import { toJsonReply } from "../replies.ts";

/** Concurrent searches. They take turns. */
const maxSearches = 16;

export function findPets({ listPets, getPet }: Catalogue): Route["handle"] {
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

	async function search(asked: Search): Promise<Found> {
		if (asked.filter.id !== undefined)
			return findOne(asked.filter.id, asked.filter);
		// Reads no more than a list does.
		if (toPetTest(asked.filter) === undefined)
			return searchPets(listPets, asked, () => true);
		if (searches >= maxSearches) throw overloaded;
		searches++;
		try {
			const searching = searchInTurns(asked);
			return await withTimeout(operatorAnswerMs, searching, storeUnavailable);
		} finally {
			searches--;
		}
	}

	function searchInTurns(asked: Search): Promise<Found> {
		const start = performance.now();
		const isOlderThan = (ms: number) => performance.now() - start > ms;
		return searchPets(
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

	return async ({ query }) => {
		const place = readPlace(query, searched);
		const asked = { ...place, limit: readParameter(query, limit) };
		const { pets, lastId } = await search(asked);
		const next =
			lastId === undefined ? undefined : toCursor(lastId, asked.filter);
		const rest = next === undefined ? "" : `,"next":"${next}"`;
		return {
			body: `{"pets":[${pets.map(storedPetToJson).join(",")}]${rest}}`,
		};
	};
}

interface Search {
	readonly filter: PetFilter;
	readonly limit: number;
	readonly maxId: bigint;
}

interface Found {
	readonly pets: readonly StoredPet[];
	/** The last animal that was searched; undefined if no animal follows it. */
	readonly lastId: bigint | undefined;
}

/** Reads slices of the catalogue by `read`, until it has found enough, has seen everything, or `isEnough` says to stop. */
export async function searchPets(
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

export function countPets({ count }: Counts): Route["handle"] {
	return async ({ query }) => {
		const { pets, isComplete } = await count(readFilter(query, counted));
		return toJsonReply({
			pets,
			...(!isComplete && { atLeast: true }),
		});
	};
}
