// The backup state in the database: when the newest began, how the last failed, and until when a process may make one. A claim is never
// renewed: a backup that hangs ends by its deadline, and the next may begin on any machine.
import { backupMs } from "../limits.ts";
import type { Engine } from "./engine.ts";
import { isInFuture, maxClockSkewMs } from "./keys.ts";
import { all, first, type Row, run, toPlain, type Value } from "./sql.ts";

/** Pause after a failed backup. */
export const backupRetryMs = 5 * 60_000;

export type Backups = ReturnType<typeof openBackups>;

export interface BackupState {
	/** Its id. */
	readonly catalogue: string;
	/** When the newest recorded backup began. */
	readonly newestAt: number | undefined;
	readonly failures: number;
	/** Why the last one failed; undefined if it succeeded. */
	readonly failure: string | undefined;
	/** No automatic backup begins before this time. */
	readonly notBefore: number;
}

export function openBackups({ read, write }: Engine) {
	/** Does nothing if another process has claimed the backup since. */
	const release = (holder: string, sets: string, values: readonly Value[]) =>
		write(() =>
			run(
				`UPDATE catalogue SET backup_holder = NULL, ${sets} WHERE backup_holder = $1`,
				[holder, ...values],
			),
		);
	return {
		read: async (): Promise<BackupState> =>
			toPlain(
				(await read(() =>
					first<Row>(
						`SELECT id AS catalogue, backed_up_at AS "newestAt", backup_failures AS failures, backup_failure AS failure,
							coalesce(backup_until, 0) AS "notBefore" FROM catalogue`,
					),
				)) ?? {},
			),

		/** Returns whether `holder` may make a backup now: no other process does, and, with `everyMs`, one is due. */
		async begin(holder: string, at: number, everyMs?: number) {
			const values = [holder, at + backupMs, at, toLatest(at)];
			const begun = await write(() =>
				everyMs === undefined
					? all(toClaim(`backup_holder IS NULL OR ${isFree}`), values)
					: all(toClaim(`${isFree} AND ${isDue}`), [
							...values,
							at - everyMs,
							at + maxClockSkewMs,
						]),
			);
			return begun.length > 0;
		},

		succeed: (holder: string, begunAt: number) =>
			release(
				holder,
				"backup_until = NULL, backup_failure = NULL, backed_up_at = $2",
				[begunAt],
			),

		fail: (holder: string, at: number, reason: string) =>
			release(
				holder,
				"backup_until = $2, backup_failure = $3, backup_failures = backup_failures + 1",
				[at + backupRetryMs, reason],
			),

		/** Gives the claim up, as if nothing had begun. */
		cancel: (holder: string) => release(holder, "backup_until = NULL", []),
	};
}

/** A later time than the latest comes from a wrong clock. */
const isFree =
	"(backup_until IS NULL OR backup_until <= $3 OR backup_until > $4)";
const isDue =
	"(backed_up_at IS NULL OR backed_up_at <= $5 OR backed_up_at > $6)";

function toClaim(condition: string): string {
	return `UPDATE catalogue SET backup_holder = $1, backup_until = $2 WHERE ${condition} RETURNING id`;
}

/** When the next one is due. Times from a wrong clock do not count. */
export function toDueTime(
	{ newestAt, notBefore }: Pick<BackupState, "newestAt" | "notBefore">,
	everyMs: number,
	now: number,
): number {
	const next =
		newestAt === undefined || isInFuture(newestAt, now)
			? now
			: newestAt + everyMs;
	return notBefore > toLatest(now) ? next : Math.max(next, notBefore);
}

/** The latest time that `backup_until` can have. */
function toLatest(now: number): number {
	return now + Math.max(backupMs, backupRetryMs) + maxClockSkewMs;
}
