// The animals in SQLite: reads at once, adds in batches of one transaction each, changes one call at a time.
import { maxSqliteBatch } from "../../../limits.ts";
import type { Addition, Catalogue } from "../../catalogue.ts";
import { changeInTurn, createBatch } from "../../queue/batch.ts";
import { readOrRetry } from "../database.ts";
import type { PetTransactions } from "./pet-transactions.ts";
import type { Reads } from "./reads.ts";
import type { Write } from "./writer.ts";

/** How long a batch waits for as many requests as the last one had: none arrives while SQLite commits on the event loop. */
const batchLingerMs = 1;

export function openCatalogue(
	reads: Reads,
	write: Write,
	{ addPets, changePets }: PetTransactions,
	keepsHistory: boolean,
): Catalogue {
	return {
		listPets: (page) => readOrRetry(reads.listPets, page),

		getPet: (id) => readOrRetry(reads.getPet, id),

		addPet: createBatch(
			(additions: readonly Addition[]) => write(() => addPets(additions)),
			{ maxSize: maxSqliteBatch, lingerMs: batchLingerMs },
		),

		changePets: changeInTurn((changes, authored) =>
			write(() => changePets(changes, keepsHistory ? authored : undefined)),
		),

		countPets: (range) => readOrRetry(reads.countPets, range),

		countCategories: (range) => readOrRetry(reads.countCategories, range),
	};
}
