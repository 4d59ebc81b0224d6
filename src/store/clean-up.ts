// Deletes expired Idempotency-Keys, sessions, links and old usage, now and at intervals.
import { cleanUpIntervalMs, idempotencyLifetimeMs } from "../limits.ts";
import type { Outages } from "./outages.ts";
import type { Store } from "./store.ts";

/** Returns a function that stops it. */
export function startCleanUp(
	{
		catalogue,
		sessions,
		usage,
	}: Pick<Store, "catalogue" | "sessions" | "usage">,
	outages: Outages,
): () => void {
	let isStopped = false;
	const cleanUp = () => {
		const now = Date.now();
		catalogue
			.deleteIdempotencyKeys(now - idempotencyLifetimeMs)
			.catch((error) =>
				outages.reportWork(error, "old Idempotency-Keys were not deleted"),
			);
		usage
			.cleanUp(now, () => isStopped)
			.catch((error) => outages.reportWork(error, "old usage was not deleted"));
		sessions
			.deleteExpired(now)
			.catch((error) =>
				outages.reportWork(error, "old sessions were not deleted"),
			);
	};
	cleanUp();
	const timer = setInterval(cleanUp, cleanUpIntervalMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}
