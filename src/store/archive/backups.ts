// The backup state in the database: when the newest began, how the last failed, and which process makes one now. That process holds a
// lease, so a killed process does not block others for long.
import { backupLeaseMs, backupRetryMs } from "../../limits.ts";
import { isInFuture, maxClockSkewMs } from "../keys.ts";
import type { Sql, SqlRequests } from "./tables.ts";

export type Backups = ReturnType<typeof openBackups>;

export type BackupState = Awaited<ReturnType<Backups["read"]>>;

export function openBackups({ read, write }: SqlRequests) {
	const update = async (
		sets: string,
		condition: string,
		values: Parameters<typeof write>[1],
	): Promise<boolean> => {
		const text = `UPDATE petstore.catalogue SET ${sets} WHERE ${condition} RETURNING id`;
		return (await write(text, values)).length > 0;
	};
	const held = "backup_holder = $1";
	const released = "backup_holder = NULL, backup_until";
	return {
		...toBackupReads(read),

		/** Returns whether `holder` may make a backup now: no other process does, and, with `everyMs`, one is due. */
		begin(holder: string, at: number, everyMs?: number) {
			const lease = "backup_holder = $1, backup_until = $2";
			// A later time comes from a wrong clock.
			const isFree = `(backup_until IS NULL OR backup_until <= $3 OR backup_until > $4)`;
			const values = [holder, at + backupLeaseMs, at, toLatest(at)];
			return everyMs === undefined
				? update(lease, `(backup_holder IS NULL OR ${isFree})`, values)
				: update(
						lease,
						`${isFree} AND (backed_up_at IS NULL OR backed_up_at <= $5 OR backed_up_at > $6)`,
						[...values, at - everyMs, at + maxClockSkewMs],
					);
		},

		/** Returns false if this process was late and has lost its lease. */
		renew: (holder: string, at: number) =>
			update("backup_until = $2", held, [holder, at + backupLeaseMs]),

		async succeed(holder: string, begunAt: number) {
			const sets = `backed_up_at = $2, backup_failure = NULL, ${released} = NULL`;
			await update(sets, held, [holder, begunAt]);
		},

		async fail(holder: string, at: number, reason: string) {
			const sets = `backup_failures = backup_failures + 1, backup_failure = $2, ${released} = $3`;
			await update(sets, held, [holder, reason, at + backupRetryMs]);
		},

		/** Gives the lease up, as if nothing had begun. */
		async cancel(holder: string) {
			await update(`${released} = NULL`, held, [holder]);
		},
	};
}

/** Also for commands that only read. */
export function toBackupReads(sql: Sql) {
	return {
		async read() {
			const [row] = await sql(
				`SELECT id, backed_up_at AS "newestAt", backup_failures AS failures, backup_failure AS failure, backup_until AS "notBefore"
				FROM petstore.catalogue`,
			);
			return {
				catalogue: row?.id?.toString(),
				/** When the newest recorded backup began. */
				newestAt: row?.newestAt == null ? undefined : Number(row.newestAt),
				failures: Number(row?.failures ?? 0),
				/** Why the last one failed; undefined if it succeeded. */
				failure: row?.failure?.toString(),
				/** No automatic backup begins before this time. */
				notBefore: Number(row?.notBefore ?? 0),
			};
		},
	};
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
	return now + Math.max(backupLeaseMs, backupRetryMs) + maxClockSkewMs;
}
