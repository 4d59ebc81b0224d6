// Deletes expired Idempotency-Keys, sessions, links and old usage, now and at intervals.
import { cleanUpIntervalMs, idempotencyLifetimeMs } from "../limits.ts";
import type { Outages } from "../log/outages.ts";
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
	const report = (what: string) => (error: unknown) => {
		// The store closes while this still runs.
		if (!isStopped) outages.reportWork(error, `${what} were not deleted`);
	};
	const cleanUp = () => {
		const now = Date.now();
		catalogue
			.deleteIdempotencyKeys(now - idempotencyLifetimeMs)
			.catch(report("old Idempotency-Keys"));
		usage.cleanUp(now, () => isStopped).catch(report("old counts of usage"));
		sessions.deleteExpired(now).catch(report("old sessions"));
	};
	cleanUp();
	const timer = setInterval(cleanUp, cleanUpIntervalMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}
