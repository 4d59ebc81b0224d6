// Deletes expired Idempotency-Keys, sessions and links, and old usage and history, now and at intervals.
import { cleanUpIntervalMs, idempotencyLifetimeMs } from "../limits.ts";
import type { Outages } from "../log/outages.ts";
import type { Store } from "./store.ts";

/** How long the history of animals is kept, if nothing else is asked for. */
export const defaultHistoryMs = 400 * 24 * 60 * 60 * 1000;

/** Returns a function that stops it. */
export function startCleanUp(
	{
		catalogue,
		sessions,
		usage,
		history,
	}: Pick<Store, "catalogue" | "sessions" | "usage" | "history">,
	outages: Outages,
	historyMs = defaultHistoryMs,
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
		history.deleteBefore(now - historyMs).catch(report("old changes"));
	};
	cleanUp();
	const timer = setInterval(cleanUp, cleanUpIntervalMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}
