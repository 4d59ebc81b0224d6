// Deletes expired Idempotency-Keys, now and at intervals.
import { cleanUpIntervalMs, idempotencyLifetimeMs } from "../limits.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Outages } from "./outages.ts";

/** Returns a function that stops it. */
export function startCleanUp(
	{ deleteIdempotencyKeys }: Catalogue,
	outages: Outages,
): () => void {
	const cleanUp = () => {
		deleteIdempotencyKeys(Date.now() - idempotencyLifetimeMs).catch((error) =>
			outages.reportWork(error, "old Idempotency-Keys were not deleted"),
		);
	};
	cleanUp();
	const timer = setInterval(cleanUp, cleanUpIntervalMs);
	return () => clearInterval(timer);
}
