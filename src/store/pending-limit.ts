// Limits how many requests wait for the catalogue at the same time. Further requests are refused immediately.
import type { Awaitable } from "../domain/async.ts";
import { overloaded } from "../domain/errors.ts";
import type { Added } from "./adds.ts";
import type { Catalogue } from "./catalogue.ts";

/** Requests that may wait for the store: more than the adds in queues and batches, so that reads have room. */
const maxPending = 20_000;

/**
 * The limit is in front of the store, not where requests arrive. So callers without a valid key take no room from others, nor do requests
 * whose body is incomplete.
 */
export function limitPending(
	catalogue: Catalogue,
	counts = createStoreCounts(),
	max = maxPending,
): Catalogue {
	function limit<Values extends unknown[], Result extends Awaitable<unknown>>(
		method: (...values: Values) => Result,
	): (...values: Values) => Result {
		return (...values) => {
			if (counts.waiting >= max) throw overloaded;
			const result = method(...values);
			// A result without a promise, as of SQLite's reads, has not waited.
			if (result instanceof Promise) {
				counts.waiting++;
				result.then(leave, leave);
			}
			return result;
		};
	}

	const leave = () => {
		counts.waiting--;
	};
	const countAdd = (outcome: keyof typeof counts.adds) => {
		counts.adds[outcome]++;
	};
	const addPet = limit(catalogue.addPet);

	return {
		listPets: limit(catalogue.listPets),
		getPet: limit(catalogue.getPet),
		addPet(addition) {
			const adding = addPet(addition);
			adding.then(
				({ outcome }) => countAdd(outcome),
				() => countAdd("failed"),
			);
			return adding;
		},
		changePets: limit(catalogue.changePets),
		changeAll: limit(catalogue.changeAll),
		findPets: limit(catalogue.findPets),
		readCounts: limit(catalogue.readCounts),
	};
}

/** Of all requests of a process. */
export function createStoreCounts() {
	const adds: Record<Added["outcome"] | "failed", number> = {
		added: 0,
		replayed: 0,
		mismatch: 0,
		failed: 0,
	};
	return { waiting: 0, adds };
}
