// Limits how many requests wait for the catalogue at the same time. Further ones are refused immediately, and the others are
// answered as usual.
import { type Awaitable, isPending } from "../../async/awaitable.ts";
import { overloaded } from "../../domain/errors.ts";
import { maxPending } from "../../limits.ts";
import type { Catalogue } from "../catalogue.ts";

/**
 * The limit is here, in front of the store, and not where requests arrive. So callers without a valid key take no room from the others,
 * and neither do requests whose body is still arriving.
 */
export function limitPending(
	catalogue: Catalogue,
	max = maxPending,
): Catalogue {
	let pending = 0;

	function leave(): void {
		pending--;
	}

	function limit<Values extends unknown[], Result extends Awaitable<unknown>>(
		method: (...values: Values) => Result,
	): (...values: Values) => Result {
		return (...values) => {
			if (pending >= max) throw overloaded;
			const result = method(...values);
			// A result that is there already, as with SQLite's reads, has not waited.
			if (isPending(result)) {
				pending++;
				result.then(leave, leave);
			}
			return result;
		};
	}

	return {
		listPets: limit(catalogue.listPets),
		getPet: limit(catalogue.getPet),
		addPet: limit(catalogue.addPet),
		changePets: limit(catalogue.changePets),
		countPets: limit(catalogue.countPets),
		deleteIdempotencyKeys: catalogue.deleteIdempotencyKeys,
	};
}
