// Limits how many requests wait for the catalogue at the same time. Further ones are refused immediately, and the others are
// answered as usual.
import { type Awaitable, isPending } from "../async/awaitable.ts";
import { overloaded } from "../contract/errors.ts";
import { maxPending } from "../limits.ts";
import type { Catalogue } from "./catalogue.ts";

/**
 * The limit is here, in front of the store, and not where requests arrive. So callers without a valid key take no room from the others,
 * and neither do requests whose body is still arriving.
 */
export function limitPending(
	catalogue: Catalogue,
	max = maxPending,
): Catalogue {
	let pending = 0;

	function requireRoom(): void {
		if (pending >= max) throw overloaded;
	}

	function leave(): void {
		pending--;
	}

	/** A result that is there already, as with SQLite's reads, has not waited. */
	function count<Result extends Awaitable<unknown>>(result: Result): Result {
		if (isPending(result)) {
			pending++;
			result.then(leave, leave);
		}
		return result;
	}

	return {
		listPets(page) {
			requireRoom();
			return count(catalogue.listPets(page));
		},
		getPet(id) {
			requireRoom();
			return count(catalogue.getPet(id));
		},
		addPet(...addition) {
			requireRoom();
			return count(catalogue.addPet(...addition));
		},
		changePets(changes) {
			requireRoom();
			return count(catalogue.changePets(changes));
		},
		countPets(range) {
			requireRoom();
			return count(catalogue.countPets(range));
		},
		deleteIdempotencyKeys: catalogue.deleteIdempotencyKeys,
	};
}
