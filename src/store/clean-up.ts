// Deletes expired Idempotency-Keys, sessions and links, keys that ended long ago, and old history, now and at intervals.
import { nextTurn } from "../domain/async.ts";
import { idempotencyLifetimeMs, sessionIdleMs } from "../limits.ts";
import type { FailureLog } from "../log.ts";
import type { Engine } from "./engine.ts";
import { maxClockSkewMs } from "./keys.ts";
import { sessionLifetimeMs, signInLinkMs } from "./sessions.ts";
import { all, first, run } from "./sql.ts";
import { type TableName, tables, toSqlName } from "./tables.ts";

/** How often the service deletes expired Idempotency-Keys, sessions and links, and old history. */
const cleanUpIntervalMs = 10 * 60_000;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
export const defaultHistoryMs = 400 * dayMs;
/** How long a revoked or expired key is still listed. */
const endedKeyMs = 365 * dayMs;
/** Rows that are deleted in one transaction, so that no request waits long. */
const partRows = 200;

type CleanUp = ReturnType<typeof openCleanUp>;

export function openCleanUp({ read, write, readClock }: Engine) {
	return {
		/** Deletes rows in slices, until `isStopped`. */
		async cleanUp(
			now: number,
			historyMs = defaultHistoryMs,
			isStopped = () => false,
		): Promise<void> {
			for (const [name, condition, values] of toOldRows(now, historyMs)) {
				const table = toSqlName(name);
				const key = tables[name].key.map(toSqlName).join(", ");
				const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT`;
				// Without old rows it does not write, so it waits for no other process.
				while (
					!isStopped() &&
					(await read(() => all("find old rows", `${some} 1`, values))).length >
						0
				) {
					await write(() =>
						run(
							"delete old rows",
							`DELETE FROM ${table} WHERE (${key}) IN (${some} ${partRows})`,
							values,
						),
					);
					await nextTurn();
				}
			}
		},

		/** Whether the clock may be so far ahead that a clean-up would delete what is still valid. */
		async isClockDoubtful(now: number): Promise<boolean> {
			if (readClock) return Math.abs(now - (await readClock())) > hourMs;
			const row = await read(() =>
				first<{ at: bigint | null }>("find newest time", newest, [now]),
			);
			return row?.at != null && now - Number(row.at) > dayMs;
		},
	};
}

/** The newest time in the database. Times in the future come from a wrong clock, and do not count. */
const newest = `SELECT max(at) AS at FROM (
	SELECT max(used_at) AS at FROM idempotency_keys WHERE used_at <= $1
	UNION ALL SELECT added_at FROM (SELECT added_at FROM pets ORDER BY id DESC LIMIT 1) AS added WHERE added_at <= $1
	UNION ALL SELECT at FROM (SELECT at FROM edits ORDER BY id DESC LIMIT 1) AS changed WHERE at <= $1
	UNION ALL SELECT max(created_at) FROM keys WHERE created_at <= $1
	UNION ALL SELECT max(last_used_at) FROM keys WHERE last_used_at <= $1
	UNION ALL SELECT max(last_used_at) FROM sessions WHERE last_used_at <= $1
) AS times`;

/** Returns a function that stops it. With a doubtful clock it waits until the process has run for a day: then somebody has seen the log. */
export function startCleanUp(
	{ cleanUp, isClockDoubtful }: CleanUp,
	failures: FailureLog,
	historyMs: number | undefined,
	/** For tests. */
	{
		now = Date.now,
		uptime = () => performance.now(),
		everyMs = cleanUpIntervalMs,
	} = {},
): () => void {
	let isStopped = false;
	let hasWarned = false;

	async function cleanUpIfSure(): Promise<void> {
		const at = now();
		if (uptime() < dayMs && (await isClockDoubtful(at))) {
			if (!hasWarned) failures.report("warn", doubtful, {});
			hasWarned = true;
		} else await cleanUp(at, historyMs, () => isStopped);
	}

	const start = () =>
		cleanUpIfSure().catch((error) => {
			// A stop closes the store while this may still run.
			if (!isStopped) failures.reportWork(error, "old rows were not deleted");
		});
	start();
	const timer = setInterval(start, everyMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}

const doubtful =
	"the clock of this machine may be ahead of the database; old rows are not deleted until the service has run for a day";

/** Times in the future come from a wrong clock. */
function toOldRows(
	now: number,
	historyMs: number,
): readonly [TableName, condition: string, values: readonly number[]][] {
	const latest = now + maxClockSkewMs;
	const before = now - historyMs;
	return [
		["idempotencyKeys", "used_at < $1", [now - idempotencyLifetimeMs]],
		["keys", "revoked_at <= $1 OR expires_at <= $1", [now - endedKeyMs]],
		[
			"sessions",
			"last_used_at <= $1 OR created_at <= $2 OR last_used_at > $3 OR created_at > $3",
			[now - sessionIdleMs, now - sessionLifetimeMs, latest],
		],
		[
			"signInLinks",
			"expires_at <= $1 OR expires_at > $2",
			[now, latest + signInLinkMs],
		],
		["counter", "number < (SELECT max(number) FROM counter) - 1000", []],
		// The oldest have the lowest positions. Their times have no index. An edit ends with its history.
		[
			"history",
			`position IN (SELECT position FROM history ORDER BY position LIMIT ${partRows}) AND edit IN (SELECT id FROM edits WHERE at < $1)`,
			[before],
		],
		[
			"edits",
			`at < $1 AND id IN (SELECT id FROM edits ORDER BY id LIMIT ${partRows}) AND NOT EXISTS (SELECT 1 FROM history WHERE position >= id AND position < id + added + changed + removed)`,
			[before],
		],
	];
}
