// Does the changes of one call after the other, and refuses calls when too many changes wait.
import { overloaded } from "../contract/errors.ts";
import { maxWaitingChanges } from "../limits.ts";
import { createBatch } from "./batch.ts";
import type { Catalogue, Changed, PetChange } from "./catalogue.ts";

/**
 * One call at a time: SQLite answers other requests between two of them, and with PostgreSQL calls that wait for locked rows hold one
 * connection only.
 */
export function changeInTurn(
	change: (changes: readonly PetChange[]) => Promise<Changed>,
	max = maxWaitingChanges,
): Catalogue["changePets"] {
	const inTurn = createBatch(
		async ([changes = []]: readonly (readonly PetChange[])[]) => [
			await change(changes),
		],
		{ maxSize: 1 },
	);
	let waiting = 0;
	return async (changes) => {
		if (waiting + changes.length > max) throw overloaded;
		waiting += changes.length;
		try {
			return await inTurn(changes);
		} finally {
			waiting -= changes.length;
		}
	};
}
