// Counts the parts of an archive as they pass, and shows the progress.
import { setImmediate as nextIteration } from "node:timers/promises";
import { toQuantity } from "../../../domain/quantity.ts";
import type { Part } from "../../../store/archive/archive.ts";
import { createProgress } from "../../terminal/print.ts";

export function createCounts() {
	return { pets: 0, keys: 0, idempotencyKeys: 0 };
}

export type Counts = ReturnType<typeof createCounts>;

export async function* counted(
	parts: AsyncIterable<Part>,
	counts: Counts = createCounts(),
): AsyncGenerator<Part> {
	const showProgress = createProgress();
	for await (const part of parts) {
		yield part;
		// SQLite reads and writes without a pause; without this, no signal would be handled.
		await nextIteration();
		if (part.kind === "keys" || part.kind === "idempotencyKeys")
			counts[part.kind] += part.rows.length;
		if (part.kind === "pets") {
			counts.pets += part.rows.length;
			showProgress(counts.pets);
		}
		// Exact, even if animals came twice or were removed.
		if (part.kind === "count") counts.pets = part.pets;
	}
}

export function toCountsText({ pets, keys, idempotencyKeys }: Counts): string {
	return `${toQuantity(pets, "animal")}, ${toQuantity(keys, "key")} and ${toQuantity(idempotencyKeys, "Idempotency-Key")}`;
}
