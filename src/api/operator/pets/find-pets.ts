// findPets: animals by status, category and a part of their name. A search takes little of the event loop's time at once, and ends after a
// while, so that it cannot slow down other requests.
import { createTurns, withTimeout } from "../../../async/waiting.ts";
import { readPlace, toCursor } from "../../../contract/cursor.ts";
import { type PetFilter, toPetTest } from "../../../contract/filter.ts";
import { httpStatus } from "../../../contract/operation.ts";
import { cursor } from "../../../contract/operator/pets/operations.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { limit } from "../../../contract/v1/operations.ts";
import { overloaded, storeUnavailable } from "../../../domain/errors.ts";
import { storedPetToJson } from "../../../domain/pet.ts";
import type { ReplyMemory } from "../../../http/reply-memory.ts";
import type { Route } from "../../../http/surface.ts";
import {
	maxLooked,
	operatorAnswerMs,
	searchMs,
	searchPauseMs,
	searchSlice,
} from "../../../limits.ts";
import type { Catalogue } from "../../../store/catalogue.ts";
import { type Found, type Room, type Search, searchPets } from "./search.ts";

/** Searches that run at the same time. They take turns. */
const maxSearches = 16;

export function findPets(
	{ listPets }: Catalogue,
	memory: ReplyMemory,
): Route["handle"] {
	const takeTurn = createTurns(searchPauseMs);
	let searches = 0;

	async function search(asked: Search, room: Room): Promise<Found> {
		// Reads no more than a list does.
		if (toPetTest(asked.filter) === undefined)
			return searchPets(listPets, asked, () => true, room);
		if (searches >= maxSearches) throw overloaded;
		searches++;
		try {
			return await withTimeout(
				operatorAnswerMs,
				searchInTurns(asked, room),
				() => storeUnavailable(),
			);
		} finally {
			searches--;
		}
	}

	function searchInTurns(asked: Search, room: Room): Promise<Found> {
		const start = performance.now();
		const isOlderThan = (ms: number) => performance.now() - start > ms;
		return searchPets(
			(page) =>
				takeTurn(() => {
					// Its caller has been answered.
					if (isOlderThan(operatorAnswerMs)) throw overloaded;
					return listPets(page);
				}),
			asked,
			(looked) => looked + searchSlice > maxLooked || isOlderThan(searchMs),
			room,
		);
	}

	return async ({ query, headers, identity }) => {
		const asked = {
			...readPlace(query, cursor),
			limit: readParameter(query, limit),
		};
		memory.requireRoom(identity.keyHash, asked.limit);
		const claim = memory.open(identity.keyHash);
		try {
			const found = await search(asked, claim);
			const body = toBody(found, asked.filter);
			return { status: httpStatus.ok, headers, body, claim };
		} catch (error) {
			claim.end();
			throw error;
		}
	};
}

function toBody({ pets, looked, lastId }: Found, filter: PetFilter): string {
	const next =
		lastId === undefined ? "" : `"next":"${toCursor(lastId, filter)}",`;
	return `{"pets":[${pets.map(storedPetToJson).join(",")}],${next}"looked":${looked}}`;
}
