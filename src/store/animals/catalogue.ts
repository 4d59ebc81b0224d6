// The animals, and the Idempotency-Keys that they were added with.

import { type Authored, byCommandLine } from "../../domain/access/author.ts";
import type { Awaitable } from "../../domain/async.ts";
import type { IndexedFilter } from "../../domain/pet/filter.ts";
import type { StoredPet } from "../../domain/pet/pet.ts";
import { postgresAnswerMs } from "../../limits.ts";
import { createBatch, openLookup } from "../database/batch.ts";
import type { Added, Addition, Engine } from "../database/engine.ts";
import { all, type Work } from "../database/sql.ts";
import { isWithin, selectEpoch } from "../database/state.ts";
import { petColumns } from "../database/tables.ts";
import { readTotals, type Totals } from "../edits/totals.ts";
import { addAsEdit, addPets } from "./add.ts";
import {
	type Call,
	type Changed,
	type ChangeOfAll,
	changePets,
	type FoundPet,
	type PetChange,
	planChangeOfAll,
} from "./change.ts";
import type { WritePlanned } from "./planned.ts";
import { openSearch, toFrom } from "./search.ts";

/** SQLite commits one batch per event loop iteration, so a batch must hold all requests of one iteration. */
const maxAdds = 1_024;

export type Catalogue = ReturnType<typeof openCatalogue>;

/** The newest animals first, up to the id `maxId`. */
export type Page = IndexedFilter & {
	readonly maxId: bigint;
	readonly limit: number;
};

/** Changes in one transaction, unless one call has more. */
const maxChanges = 256;

/** How long a batch waits for as many requests as the last one had: none arrives while SQLite commits on the event loop. */
const lingerMs = 1;

export function openCatalogue(
	engine: Engine,
	writePlanned: WritePlanned,
	keepsHistory: boolean,
) {
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
		/** How far the animals go. The same object as long as nothing has changed. */
		state: engine.state,
		/** At most `limit` animals. */
		listPets: (page: Page): Awaitable<readonly StoredPet[]> =>
			engine.read(() => listPets(page)),
		getPet,
		/** Finds animals by any filter, in slices that let other requests in. */
		findPets: openSearch(engine),
		/** Resolves when the animal is durable. With `idempotency`, adds at most one for its owner and key. An `author` makes it an edit. */
		addPet(addition: Addition, author?: Authored): Promise<Added> {
			adds.waiting++;
			const added =
				author && keepsHistory
					? engine.write(() => addAsEdit(addition, author))
					: add(addition);
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
			writePlanned(
				() => planChangeOfAll(engine, change, toAuthored(authored)),
				signal,
			),
		/** The exact numbers of animals by status: of all, or of a category. */
		readTotals: async (categoryId?: bigint): Promise<Totals> =>
			engine.read(() => readTotals(categoryId)),
	};
}

const one = `SELECT ${petColumns}, (${selectEpoch}) AS epoch FROM pets WHERE`;
