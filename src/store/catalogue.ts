// The animals, and the Idempotency-Keys that they were added with.
import type { Awaitable } from "../domain/async.ts";
import { type Authored, byCommandLine } from "../domain/author.ts";
import { notDurableNow } from "../domain/errors.ts";
import type { IndexedFilter } from "../domain/filter.ts";
import { maxInt64 } from "../domain/json.ts";
import type { PetStatus, StoredPet } from "../domain/pet.ts";
import { postgresAnswerMs } from "../limits.ts";
import { type Added, type Addition, addPets } from "./adds.ts";
import { createBatch, openLookup } from "./batch.ts";
import {
	type Call,
	type Changed,
	type ChangeOfAll,
	changeAll,
	changePets,
	type FoundPet,
	type PetChange,
} from "./changes.ts";
import type { Engine } from "./engine.ts";
import { openSearch, toFrom } from "./search.ts";
import { all, untilAborted, type Work } from "./sql.ts";
import { isWithin, petColumns, type State, selectEpoch } from "./tables.ts";

/** SQLite commits one batch per event loop iteration, so a batch must hold all requests of one iteration. */
const maxAdds = 1_024;

export type Catalogue = ReturnType<typeof openCatalogue>;

/** The newest animals first, up to the id `maxId`. */
export type Page = IndexedFilter & {
	readonly maxId: bigint;
	readonly limit: number;
};

/** How many animals of a category have a status. */
export interface Count {
	readonly categoryId: bigint;
	readonly status: PetStatus;
	readonly pets: bigint;
}

/** Changes in one transaction, unless one call has more. */
const maxChanges = 256;

/** How long a batch waits for as many requests as the last one had: none arrives while SQLite commits on the event loop. */
const lingerMs = 1;

export function openCatalogue(engine: Engine, keepsHistory: boolean) {
	const listFirst = cachePages((page) => engine.read(() => listPets(page)));
	const getPet = openLookup<FoundPet, bigint>(
		engine,
		"get animals",
		one,
		"id",
		({ id }) => id,
		postgresAnswerMs,
		{
			isDurable: ({ epoch, version: last }, durable) =>
				isWithin({ epoch, last }, durable),
		},
	);

	function* listPets(page: Page): Work<readonly StoredPet[]> {
		const { status, maxId, limit } = page;
		const from = toFrom(engine, status);
		// `+ 0`, since SQLite prepares a statement again for each value of a plain `LIMIT $2`.
		return yield* all<StoredPet>(
			"list animals",
			`SELECT ${petColumns} ${from} id <= $1 ORDER BY id DESC LIMIT $2 + 0`,
			[maxId, limit],
		);
	}

	const change = createBatch(
		(calls: readonly Call[], since) =>
			engine.write(() => changePets(calls), since),
		{
			maxSize: maxChanges,
			sizeOf: ({ changes }) => changes.length,
		},
	);

	const insert = engine.addPets ?? addPets;
	const add = createBatch(
		(additions: readonly Addition[], since) =>
			engine.write(() => insert(additions), since),
		{ maxSize: maxAdds, lingerMs },
	);
	const adds = {
		waiting: 0,
		outcomes: { added: 0, replayed: 0, mismatch: 0, failed: 0 },
	};

	function settle(outcome: keyof typeof adds.outcomes): void {
		adds.waiting--;
		adds.outcomes[outcome]++;
	}

	/** Undefined if no history is kept. */
	const toAuthored = (authored: Authored) =>
		keepsHistory ? authored : undefined;

	return {
		/** Of this process, for its metrics. */
		adds,
		/** At most `limit` animals. Returns the same array as before only if the page is unchanged. */
		listPets: (page: Page): Awaitable<readonly StoredPet[]> =>
			page.maxId === maxInt64
				? listFirst(engine.state(), page)
				: engine.read(() => listPets(page)),
		getPet,
		/** Finds animals by any filter, in slices that let other requests in. */
		findPets: openSearch(engine),
		/** Resolves when the animal is durable. With `idempotency`, at most one animal is added for its owner and key. */
		addPet(addition: Addition): Promise<Added> {
			adds.waiting++;
			const added = add(addition);
			added.then(
				({ outcome }) => settle(outcome),
				() => settle("failed"),
			);
			return added;
		},
		/** Makes all changes in order, with their entries in feed and history, in one transaction, or none. Resolves when they are durable. */
		changePets: (
			changes: readonly PetChange[],
			/** By the command line if not given. */
			authored: Authored = byCommandLine(),
		): Promise<Changed> => change({ changes, authored: toAuthored(authored) }),
		/** The same for all animals that a filter finds. */
		changeAll: (change: ChangeOfAll, authored: Authored, signal: AbortSignal) =>
			engine.writeLong(() =>
				untilAborted(signal, changeAll(engine, change, toAuthored(authored))),
			),
		/** The exact numbers of animals, without those that are 0. */
		readCounts: async (): Promise<readonly Count[]> =>
			engine.read(() => all<Count>("count animals", counts)),
	};
}

const one = `SELECT ${petColumns}, (${selectEpoch}) AS epoch FROM pets WHERE`;

const counts = `SELECT category_id AS "categoryId", status, pets FROM counts WHERE pets > 0 ORDER BY category_id, status`;

/** First pages: further ones are seldom requested twice. With the longest names they take about 25 MB, with their JSON texts. */
const maxPages = 100;

/** Keeps first pages until the next commit of any process. */
function cachePages(
	read: (page: Page) => Awaitable<readonly StoredPet[]>,
): (state: Awaitable<State>, page: Page) => Awaitable<readonly StoredPet[]> {
	// By the object: callers reuse it, so that no text of its members is made for each list.
	const pages = new Map<Page, Awaitable<readonly StoredPet[]>>();
	let current: State | undefined;

	function list(state: State, page: Page): Awaitable<readonly StoredPet[]> {
		if (state !== current || pages.size > maxPages) pages.clear();
		current = state;
		let pets = pages.get(page);
		if (pets === undefined) {
			pets = read(page);
			pages.set(page, pets);
			// A page that could not be read is read again.
			if (pets instanceof Promise) pets.catch(() => pages.delete(page));
		}
		return pets;
	}

	function findKept(error: unknown, page: Page) {
		const kept = error === notDurableNow ? pages.get(page) : undefined;
		if (kept === undefined) throw error;
		return kept;
	}

	return (state, page) =>
		state instanceof Promise
			? state.then(
					(state) => list(state, page),
					(error) => findKept(error, page),
				)
			: list(state, page);
}
