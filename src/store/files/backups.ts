// The state of backups in the database, for all services on it: when the newest began, when one was tried, and how the last failed.
import { isBusy } from "../../domain/errors.ts";
import { isInFuture } from "../access/keys.ts";
import type { Engine } from "../database/engine.ts";
import {
	first,
	type Row,
	run,
	toPlain,
	type Value,
	type Work,
} from "../database/sql.ts";

/** After a try that has not succeeded, whatever became of it, no service begins another by its schedule for this time. */
export const backupPauseMs = 5 * 60_000;

export type Backups = ReturnType<typeof openBackups>;

export interface BackupState {
	/** Its id. */
	readonly catalogue: string;
	/** When the newest recorded backup began. */
	readonly newestAt: number | undefined;
	/** When the last one began, or failed; undefined if it succeeded. */
	readonly triedAt: number | undefined;
	readonly failures: number;
	/** Why the last one failed; undefined if it succeeded. */
	readonly failure: string | undefined;
}

export function openBackups({ read, write }: Engine) {
	return {
		read: async (): Promise<BackupState> => read(readState),

		/** Returns whether a backup begins now: with `everyMs` only if one is due, else always. */
		begin: (at: number, everyMs?: number): Promise<boolean> =>
			write(function* () {
				if (everyMs !== undefined) {
					const state = yield* readState();
					if (toDueTime(state, everyMs, at) > at) return false;
				}
				yield* run(
					"set backup state",
					"UPDATE catalogue SET backup_tried_at = $1",
					[at],
				);
				return true;
			}),

		succeed: (begunAt: number) =>
			record(
				"UPDATE catalogue SET backup_tried_at = NULL, backup_failure = NULL, backed_up_at = $1",
				[begunAt],
			),

		fail: (at: number, reason: string) =>
			record(
				"UPDATE catalogue SET backup_tried_at = $1, backup_failure = $2, backup_failures = backup_failures + 1",
				[at, reason],
			),
	};

	/** Waits for other writes as long as they take: a backup that was made must not count as failed. */
	async function record(text: string, values: readonly Value[]): Promise<void> {
		for (;;)
			try {
				return await write(() => run("set backup state", text, values));
			} catch (error) {
				if (!isBusy(error)) throw error;
				await Bun.sleep(retryMs);
			}
	}
}

const retryMs = 1_000;

function* readState(): Work<BackupState> {
	const row = yield* first<Row>(
		"read backup state",
		`SELECT id AS catalogue, backed_up_at AS "newestAt", backup_tried_at AS "triedAt",
			backup_failure AS failure, backup_failures AS failures FROM catalogue`,
	);
	return toPlain(row ?? {});
}

/** When the next one is due. Times in the future come from a wrong clock, and do not count. */
export function toDueTime(
	{ newestAt, triedAt }: Pick<BackupState, "newestAt" | "triedAt">,
	everyMs: number,
	now: number,
): number {
	const after = (at: number | undefined, ms: number) =>
		at === undefined || isInFuture(at, now) ? now : at + ms;
	return Math.max(after(newestAt, everyMs), after(triedAt, backupPauseMs));
}
