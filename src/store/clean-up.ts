// Deletes expired Idempotency-Keys, now and at intervals.
import type { Logger } from "pino";
import { cleanUpIntervalMs, idempotencyLifetimeMs } from "../limits.ts";
import type { Catalogue } from "./catalogue.ts";

/** Returns a function that stops it. */
export function startCleanUp(
	{ deleteIdempotencyKeys }: Catalogue,
	log: Logger,
): () => void {
	const cleanUp = () => {
		deleteIdempotencyKeys(Date.now() - idempotencyLifetimeMs).catch((err) =>
			log.warn({ err }, "old Idempotency-Keys were not deleted"),
		);
	};
	cleanUp();
	const timer = setInterval(cleanUp, cleanUpIntervalMs);
	return () => clearInterval(timer);
}
