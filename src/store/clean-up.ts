// Deletes expired Idempotency-Keys, sessions and links, keys that ended long ago, and old history, now and at intervals.
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	cleanUpIntervalMs,
	idempotencyLifetimeMs,
	sessionIdleMs,
} from "../limits.ts";
import type { FailureLog } from "../log/failures.ts";
import {
	type SqlRequests,
	type TableName,
	tables,
	toSqlName,
} from "./archive/tables.ts";
import { maxClockSkewMs } from "./keys.ts";
import { sessionLifetimeMs, signInLinkMs } from "./sessions.ts";

export const defaultHistoryMs = 400 * 24 * 60 * 60 * 1000;

/** How long a revoked or expired key is still listed. */
const endedKeyMs = 365 * 24 * 60 * 60 * 1000;

/** Deletes rows in slices, until `isStopped`. */
export type CleanUp = (
	now: number,
	historyMs?: number,
	isStopped?: () => boolean,
) => Promise<void>;

/** Returns a function that stops it. */
export function startCleanUp(
	cleanUp: CleanUp,
	failures: FailureLog,
	historyMs: number | undefined,
): () => void {
	let isStopped = false;
	const start = () =>
		cleanUp(Date.now(), historyMs, () => isStopped).catch((error) => {
			// A stop closes the store while this may still run.
			if (!isStopped) failures.reportWork(error, "old rows were not deleted");
		});
	start();
	const timer = setInterval(start, cleanUpIntervalMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}

/** Deletes `rows` at once, so that no request waits long for the transaction. */
export function toCleanUp({ read, write }: SqlRequests, rows: number): CleanUp {
	return async (now, historyMs = defaultHistoryMs, isStopped = () => false) => {
		const history = toOldHistory(now - historyMs, rows);
		for (const [name, condition, values] of [...toExpired(now), history]) {
			const table = `petstore.${toSqlName(name)}`;
			const key = tables[name].key.map(toSqlName).join(", ");
			const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT`;
			// Without old rows it does not write, so it waits for no other process.
			while (!isStopped() && (await read(`${some} 1`, values)).length > 0) {
				// The condition again: another transaction may use a row after the subquery has found it.
				await write(
					`DELETE FROM ${table} WHERE (${condition}) AND (${key}) IN (${some} ${rows})`,
					values,
				);
				await nextIteration();
			}
		}
	};
}

type OldRows = readonly [
	table: TableName,
	condition: string,
	values: readonly (string | number)[],
];

/** Times in the future come from a wrong clock. */
function toExpired(now: number): readonly OldRows[] {
	const latest = now + maxClockSkewMs;
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
	];
}

/** The oldest entries have the lowest positions. Their times have no index. */
function toOldHistory(before: number, rows: number): OldRows {
	const oldest = `SELECT position FROM petstore.history ORDER BY position LIMIT ${rows}`;
	return ["history", `at < $1 AND position IN (${oldest})`, [before]];
}
