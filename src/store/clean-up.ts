// Deletes expired Idempotency-Keys, sessions and links, keys that ended long ago, old ids of imports and old history, now and at intervals.
import { nextTurn } from "../domain/async.ts";
import { maxInt64, minInt64 } from "../domain/types/json.ts";
import { idempotencyLifetimeMs, sessionIdleMs } from "../limits.ts";
import type { FailureLog } from "../log.ts";
import { maxClockSkewMs } from "./access/keys.ts";
import { sessionLifetimeMs, signInLinkMs } from "./access/sessions.ts";
import type { Engine } from "./database/engine.ts";
import { all, first, type Row, toAmong, type Work } from "./database/sql.ts";
import {
	type TableName,
	tables,
	toSelected,
	toSqlName,
} from "./database/tables.ts";

/** How often the service deletes expired Idempotency-Keys, sessions and links, and old history. */
const cleanUpIntervalMs = 10 * 60_000;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
export const defaultHistoryMs = 400 * dayMs;
/** How long a revoked or expired key is still listed. */
const endedKeyMs = 365 * dayMs;
/** How long the id of an import is known, however long the history is kept. */
const importIdMs = 400 * dayMs;
/** Rows that are deleted in one transaction, so that no request waits long. */
const stepRows = 200;

/** Rows of a table with values of a column from `from` to `to`, which an index finds. */
interface Old {
	readonly name: TableName;
	readonly column: string;
	readonly from?: number | bigint;
	readonly to?: number | bigint;
}

interface OldEdit extends Row {
	readonly id: bigint;
	readonly at: bigint;
	/** How many positions it has, from its id on. */
	readonly positions: bigint;
}

type CleanUp = ReturnType<typeof openCleanUp>;

export function openCleanUp({ read, write, readClock }: Engine) {
	/** Deletes them in steps, until `isStopped`. */
	async function sweep(
		{ name, column, from = minInt64, to = maxInt64 }: Old,
		isStopped: () => boolean,
	): Promise<void> {
		const columns = toSelected(name, [...tables[name].key, column]);
		for (let start = from; !isStopped(); await nextTurn()) {
			const find = () =>
				findOld<Row>({ name, column, from: start, to }, columns);
			// Without old rows it does not write, so it waits for no other process.
			if ((await read(find)).length === 0) return;
			const rows = await write(function* () {
				const rows = yield* find();
				yield* deleteRows(name, rows);
				return rows;
			});
			// PostgreSQL would look at the rows before it again.
			start = BigInt(rows.at(-1)?.[column] ?? start);
		}
	}

	/** An edit ends with its history: that of many small ones in one step, or that of a large one in several. */
	async function sweepEdits(
		to: number,
		isStopped: () => boolean,
	): Promise<void> {
		const columns = "id, at, added + changed + removed AS positions";
		for (let from = minInt64; ; await nextTurn()) {
			const old = { name: "edits", column: "at", from, to } as const;
			const edits = await read(() => findOld<OldEdit>(old, columns));
			const [oldest] = edits;
			if (oldest === undefined || isStopped()) return;
			const ended: OldEdit[] = [];
			const entries: Row[] = [];
			for (const edit of edits) {
				const { id, positions } = edit;
				if (BigInt(entries.length) + positions > stepRows) break;
				for (let at = 0n; at < positions; at++)
					entries.push({ position: id + at });
				ended.push(edit);
			}
			if (ended.length === 0) {
				const [from, to] = [oldest.id, oldest.id + oldest.positions - 1n];
				const large = {
					name: "history",
					column: "position",
					from,
					to,
				} as const;
				await sweep(large, isStopped);
				if (isStopped()) return;
				ended.push(oldest);
			}
			await write(function* () {
				yield* deleteRows("history", entries);
				yield* deleteRows("edits", ended);
			});
			from = ended.at(-1)?.at ?? from;
		}
	}

	return {
		/** Deletes rows in slices, until `isStopped`. */
		async cleanUp(
			now: number,
			historyMs = defaultHistoryMs,
			isStopped = () => false,
		): Promise<void> {
			for (const old of toOld(now)) await sweep(old, isStopped);
			await sweepEdits(now - historyMs - 1, isStopped);
		},

		/**
		 * Whether the clock may be so far ahead that a clean-up would delete what is still valid. `expected` is the time by an earlier one that
		 * was not doubtful, and `doubtedAt` the time of the first that was: what was written later has its time from this clock.
		 */
		async isClockDoubtful(
			now: number,
			expected?: number,
			doubtedAt?: number,
		): Promise<boolean> {
			if (readClock) return Math.abs(now - (await readClock())) > hourMs;
			const latest = Math.min(now, expected ?? now, doubtedAt ?? now);
			const row = await read(() =>
				first<{ at: bigint | null }>("find newest time", newest, [latest]),
			);
			const known = Math.max(
				Number(row?.at ?? expected ?? now),
				Math.min(now, expected ?? 0),
			);
			return now - known > dayMs;
		},
	};
}

/** With both ends beside each other, PostgreSQL sorts all old rows to find the first ones. */
function* findOld<Found>(
	{ name, column, from = minInt64, to = maxInt64 }: Old,
	columns: string,
): Work<readonly Found[]> {
	const time = toSqlName(column);
	return yield* all<Found>(
		"find old rows",
		`SELECT * FROM (
			SELECT ${columns}, ${time} AS time FROM ${toSqlName(name)} WHERE ${time} >= $1 ORDER BY ${time} LIMIT ${stepRows}
		) AS next WHERE time <= $2 ORDER BY time`,
		[from, to],
	);
}

function* deleteRows(name: TableName, rows: readonly Row[]): Work<void> {
	const { key } = tables[name];
	const columns = key.map(toSqlName).join(", ");
	const among =
		key.length === 1 ? `${columns} IN (#)` : `(${columns}) IN (VALUES #)`;
	for (const runs of toAmong(
		"delete old rows",
		`DELETE FROM ${toSqlName(name)} WHERE ${among}`,
		rows.map((row) => key.map((column) => row[column] ?? null)),
	))
		yield { runs };
}

/** The newest time in the database. Times in the future come from a wrong clock, and do not count. */
const newest = `SELECT max(at) AS at FROM (
	SELECT max(used_at) AS at FROM idempotency_keys WHERE used_at <= $1
	UNION ALL SELECT max(added_at) FROM pets WHERE id > (SELECT max(id) FROM pets) - 100 AND added_at <= $1
	UNION ALL SELECT max(at) FROM edits WHERE at <= $1
	UNION ALL SELECT max(created_at) FROM keys WHERE id > (SELECT max(id) FROM keys) - 100 AND created_at <= $1
	UNION ALL SELECT max(last_used_at) FROM keys WHERE id > (SELECT max(id) FROM keys) - 100 AND last_used_at <= $1
	UNION ALL SELECT max(last_used_at) FROM sessions WHERE last_used_at <= $1
) AS times`;

interface Moment {
	readonly at: number;
	readonly uptime: number;
}

/** Returns a function that stops it. It waits while the clock is doubtful, at most a day: then somebody has seen the log. */
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
	/** When the clock was believed last. */
	let sure: Moment | undefined;
	/** Since when it is doubtful. */
	let doubt: Moment | undefined;

	async function isSure(moment: Moment): Promise<boolean> {
		const { at, uptime } = moment;
		const expected = sure && sure.at + uptime - sure.uptime;
		if (!(await isClockDoubtful(at, expected, doubt?.at))) doubt = undefined;
		else {
			if (doubt === undefined) failures.report("warn", doubtful, {});
			doubt ??= moment;
			if (uptime - doubt.uptime < dayMs) return false;
		}
		sure = moment;
		return true;
	}

	async function cleanUpIfSure(): Promise<void> {
		const at = now();
		if (await isSure({ at, uptime: uptime() }))
			await cleanUp(at, historyMs, () => isStopped);
	}

	/** One at a time: an earlier look at the clock must not come after a later one. */
	let isRunning = false;
	async function start(): Promise<void> {
		if (isRunning) return;
		isRunning = true;
		await cleanUpIfSure().catch((error) => {
			// A stop closes the store while this may still run.
			if (!isStopped) failures.reportWork(error, "old rows were not deleted");
		});
		isRunning = false;
	}
	start();
	const timer = setInterval(start, everyMs);
	return () => {
		isStopped = true;
		clearInterval(timer);
	};
}

const doubtful =
	"the clock of this machine may be wrong; check it: old rows are not deleted for a day";

/** Times in the future come from a wrong clock. Others are deleted whatever is beside them. */
function toOld(now: number): readonly Old[] {
	const latest = now + maxClockSkewMs;
	const key = (column: string) =>
		({ name: "keys", column, to: now - endedKeyMs }) as const;
	const session = (column: string, lifetimeMs: number): readonly Old[] => [
		{ name: "sessions", column, to: now - lifetimeMs },
		{ name: "sessions", column, from: latest + 1 },
	];
	return [
		{
			name: "idempotencyKeys",
			column: "usedAt",
			to: now - idempotencyLifetimeMs - 1,
		},
		key("revokedAt"),
		key("expiresAt"),
		...session("lastUsedAt", sessionIdleMs),
		...session("createdAt", sessionLifetimeMs),
		{ name: "signInLinks", column: "expiresAt", to: now },
		{
			name: "signInLinks",
			column: "expiresAt",
			from: latest + signInLinkMs + 1,
		},
		{ name: "imports", column: "finishedAt", to: now - importIdMs },
	];
}
