// Deletes expired Idempotency-Keys, sessions and links, and old usage and history, now and at intervals.
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	cleanUpIntervalMs,
	idempotencyLifetimeMs,
	sessionIdleMs,
} from "../limits.ts";
import type { Outages } from "../log/outages.ts";
import {
	type SqlRequests,
	type TableName,
	toSqlName,
	toTable,
} from "./archive/tables.ts";
import { maxClockSkewMs } from "./keys.ts";
import { sessionLifetimeMs, signInLinkMs } from "./sessions.ts";
import { toOldest } from "./usage/levels.ts";

/** How long the history of animals is kept, if nothing else is asked for. */
export const defaultHistoryMs = 400 * 24 * 60 * 60 * 1000;

export interface CleanUp {
	readonly now: number;
	readonly historyMs?: number;
	readonly isStopped?: () => boolean;
}

/** Returns a function that stops it. */
export function startCleanUp(
	cleanUp: (options: CleanUp) => Promise<void>,
	outages: Outages,
	historyMs = defaultHistoryMs,
): () => void {
	let isStopped = false;
	const options = { historyMs, isStopped: () => isStopped };
	const start = () =>
		cleanUp({ now: Date.now(), ...options }).catch((error) => {
			// The store closes while this still runs.
			if (!isStopped) outages.reportWork(error, "old rows were not deleted");
		});
	start();
	const timer = setInterval(start, cleanUpIntervalMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}

/** Deletes `rows` at once, so that no request waits long for the transaction. */
export function toCleanUp(
	{ write }: SqlRequests,
	rows: number,
): (options: CleanUp) => Promise<void> {
	return async ({
		now,
		historyMs = defaultHistoryMs,
		isStopped = () => false,
	}) => {
		for (const { name, condition, values } of toOld(now, historyMs, rows)) {
			const table = `petstore.${toSqlName(name)}`;
			const key = toTable(name).key.map(toSqlName).join(", ");
			for (let deleted = 1; deleted > 0 && !isStopped(); ) {
				const found = await write(
					`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${rows}) RETURNING 1`,
					values,
				);
				deleted = found.length;
				await nextIteration();
			}
		}
	};
}

interface OldRows {
	readonly name: TableName;
	readonly condition: string;
	readonly values: readonly (string | number)[];
}

/** A time in the future was recorded while a clock was wrong. */
function toOld(
	now: number,
	historyMs: number,
	rows: number,
): readonly OldRows[] {
	const latest = now + maxClockSkewMs;
	return [
		{
			name: "idempotencyKeys",
			condition: "used_at < $1",
			values: [now - idempotencyLifetimeMs],
		},
		{
			name: "sessions",
			condition:
				"last_used_at <= $1 OR created_at <= $2 OR last_used_at > $3 OR created_at > $3",
			values: [now - sessionIdleMs, now - sessionLifetimeMs, latest],
		},
		{
			name: "signInLinks",
			condition: "expires_at <= $1 OR expires_at > $2",
			values: [now, latest + signInLinkMs],
		},
		...toOldest(now).map((values) => ({
			name: "usage" as const,
			condition: "period = $1 AND starts_at < $2",
			values,
		})),
		{
			name: "history",
			// The oldest entries have the lowest positions. `at` has no index.
			condition: `at < $1 AND position IN (SELECT position FROM petstore.history ORDER BY position LIMIT ${rows})`,
			values: [now - historyMs],
		},
	];
}
