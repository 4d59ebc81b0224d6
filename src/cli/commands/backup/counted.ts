// Counts the parts of an archive while they are passed on, and shows the progress.
import type { Part } from "../../../store/archive/archive.ts";
import { createProgress } from "../../terminal/progress.ts";

export interface Counts {
	pets: number;
	keys: number;
	idempotencyKeys: number;
}

export function createCounts(): Counts {
	return { pets: 0, keys: 0, idempotencyKeys: 0 };
}

/** Animals come in the order of their ids, so an id tells how far it is. */
export async function* counted(
	parts: AsyncIterable<Part>,
	counts: Counts,
): AsyncGenerator<Part> {
	let showProgress = createProgress(0n);
	let isFirst = true;
	for await (const part of parts) {
		yield part;
		if (part.kind === "lastId" && isFirst) {
			showProgress = createProgress(part.id);
			isFirst = false;
		}
		if (part.kind === "keys" || part.kind === "idempotencyKeys")
			counts[part.kind] += part.rows.length;
		if (part.kind === "pets") {
			counts.pets += part.rows.length;
			showProgress(part.rows.at(-1)?.id, counts.pets);
		}
		// Of animals that came twice, or were removed, this alone is right.
		if (part.kind === "count") {
			counts.pets = part.pets;
			showProgress(undefined, part.pets);
		}
	}
}
