// Limits how many requests wait for the catalogue at the same time. Further requests are refused immediately.
import { type Awaitable, isPending } from "../../async/awaitable.ts";
import { overloaded } from "../../domain/errors.ts";
import { maxPending } from "../../limits.ts";
import type { Catalogue } from "../catalogue.ts";

export type CatalogueOperation = keyof Catalogue;

/** Called when a request begins to wait. The returned function gets the result, or undefined after a failure. */
export type OnWait = (
	operation: CatalogueOperation,
) => (result: unknown) => void;

/**
 * The limit is in front of the store, not where requests arrive. So callers without a valid key take no room from others, nor do requests
 * whose body is incomplete.
 */
export function limitPending(
	catalogue: Catalogue,
	onWait: OnWait,
	max = maxPending,
): Catalogue {
	let pending = 0;

	function limit<Values extends unknown[], Result extends Awaitable<unknown>>(
		operation: CatalogueOperation,
		method: (...values: Values) => Result,
	): (...values: Values) => Result {
		return (...values) => {
			if (pending >= max) throw overloaded;
			const result = method(...values);
			// A result without a promise, as of SQLite's reads, has not waited.
			if (isPending(result)) {
				pending++;
				const onEnd = onWait(operation);
				const leave = (value?: unknown) => {
					pending--;
					onEnd(value);
				};
				result.then(leave, () => leave());
			}
			return result;
		};
	}

	return {
		listPets: limit("listPets", catalogue.listPets),
		getPet: limit("getPet", catalogue.getPet),
		addPet: limit("addPet", catalogue.addPet),
		changePets: limit("changePets", catalogue.changePets),
		countPets: limit("countPets", catalogue.countPets),
		countCategories: limit("countCategories", catalogue.countCategories),
	};
}
