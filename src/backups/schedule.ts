// Makes automatic backups: one in each period, by one of the processes that use the database.
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../domain/errors.ts";
import type { FailureLog } from "../log/failures.ts";
import { type Backups, toDueTime } from "../store/archive/backups.ts";
import { readNewest } from "./folder.ts";
import type { BackupMaker } from "./maker.ts";

/** Bounds of the pause between two looks at whether a backup is due. */
const pollMs = { min: 1_000, max: 10_000 };

/** Returns a function that stops it. */
export function startSchedule(
	backups: Backups,
	{ make, folder }: BackupMaker,
	everyMs: number,
	failures: FailureLog,
): () => void {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function makeIfDue(): Promise<number> {
		const now = Date.now();
		const newest = await readNewest(backups, folder);
		const waitMs = toDueTime(newest, everyMs, now) - now;
		if (waitMs <= 0 && !signal.aborted) await make(everyMs);
		return Math.min(Math.max(waitMs, pollMs.min), pollMs.max);
	}

	async function run(): Promise<void> {
		while (!signal.aborted) {
			const waitMs = await makeIfDue().catch((error) => {
				// The maker has logged why a backup failed.
				if (!signal.aborted && !(error instanceof OperatorError))
					failures.reportWork(error, "no backup was made");
				return pollMs.max;
			});
			await sleep(waitMs, undefined, { signal }).catch(() => {});
		}
	}

	void run();
	return () => stopping.abort();
}
