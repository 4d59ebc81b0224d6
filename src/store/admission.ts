// How many requests may wait for the store at once: one more is refused in a moment, and the others are answered as ever.
import { type Awaitable, isPending } from "../async/awaitable.ts";
import { overloaded } from "../contract/errors.ts";
import type { Catalogue } from "./store.ts";

/**
 * Stands before the store, where a request waits, and not at the door. Whoever comes this far has shown a key, so a stranger
 * is told 401 as ever; and the body has arrived, so those who send theirs slowly take nobody's place.
 *
 * The measure is above the 17,408 adds that may wait or be under way, which leaves room for reads.
 */
export function admit(catalogue: Catalogue, maxInFlight = 20_000): Catalogue {
	let inFlight = 0;

	function enter(): void {
		if (inFlight >= maxInFlight) throw overloaded;
	}

	function leave(): void {
		inFlight--;
	}

	/** What is answered at once, as SQLite does with reads, has not waited. */
	function count<Result extends Awaitable<unknown>>(result: Result): Result {
		if (isPending(result)) {
			inFlight++;
			result.then(leave, leave);
		}
		return result;
	}

	return {
		listPets(page) {
			enter();
			return count(catalogue.listPets(page));
		},
		getPet(id) {
			enter();
			return count(catalogue.getPet(id));
		},
		addPet(pet, idempotency) {
			enter();
			return count(catalogue.addPet(pet, idempotency));
		},
	};
}
