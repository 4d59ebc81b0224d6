// The usage in SQLite.

import type { Database } from "bun:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import { firstErrorStatus, storeUnavailable } from "../../contract/errors.ts";
import { type Dimension, unitMs } from "../../contract/usage-groups.ts";
import { usageReadMs, usageSliceRows } from "../../limits.ts";
import type { Period, Usage, UsageQuery, UsageSum } from "../usage.ts";
import {
	addSum,
	durationColumns,
	toOldest,
	toUsageRows,
	toUsageSum,
	type UsageSumRow,
} from "../usage-rows.ts";
import { retryWhileBusy } from "./database.ts";
import type { Writes } from "./writer/writes.ts";

export function openUsage(db: Database, writer: Writes): Usage {
	const findOld = db.query<{ period: Period }, [Period, number]>(
		"SELECT period FROM usage WHERE period = ? AND starts_at < ? LIMIT 1",
	);

	async function deleteBefore(period: Period, oldest: number): Promise<void> {
		const isAnyLeft = () => findOld.get(period, oldest) !== null;
		while (await retryWhileBusy(isAnyLeft)) {
			await writer.deleteUsage(period, oldest);
			await nextIteration();
		}
	}

	return {
		add: (counts) => writer.addUsage(toUsageRows(counts)),
		read: (query) => readUsage(db, query, usageReadMs),
		async deleteOld(now) {
			for (const [period, oldest] of toOldest(now))
				await deleteBefore(period, oldest);
		},
	};
}

/** In slices, since the event loop stops while SQLite sums. Refuses a query that takes longer than `maxMs`. */
export async function readUsage(
	db: Database,
	query: UsageQuery,
	maxMs = Number.POSITIVE_INFINITY,
): Promise<readonly UsageSum[]> {
	const deadline = performance.now() + maxMs;
	const sums = new Map<string, UsageSum>();
	const read = prepareSums(db, query);
	for (let from = query.from; from < query.to && sums.size < query.limit; ) {
		const end = await retryWhileBusy(() => findEnd(db, { ...query, from }));
		for (const sum of await retryWhileBusy(() => read(from, end)))
			addSum(sums, sum);
		from = end;
		await nextIteration();
		if (performance.now() > deadline) throw storeUnavailable();
	}
	return [...sums.values()].slice(0, query.limit);
}

/** Where the slice that begins at `from` ends: between two periods. */
function findEnd(db: Database, { period, from, to }: UsageQuery): number {
	const row = db
		.query<{ startsAt: bigint }, [Period, number, number]>(
			`SELECT starts_at AS startsAt FROM usage WHERE period = ? AND starts_at >= ? AND starts_at < ?
			ORDER BY starts_at LIMIT 1 OFFSET ${usageSliceRows}`,
		)
		.get(period, from, to);
	if (row === null) return to;
	const startsAt = Number(row.startsAt);
	return startsAt > from ? startsAt : from + unitMs[period];
}

function prepareSums(
	db: Database,
	{ period, by, unit, operation }: UsageQuery,
): (from: number, to: number) => UsageSum[] {
	const column = (dimension: Dimension, none: string) =>
		by.includes(dimension) ? dimension : none;
	const sums = durationColumns.map((name) => `SUM(${name}) AS ${name}`);
	const statement = db.query<
		UsageSumRow,
		[Period, number, number, string | null]
	>(
		`SELECT ${unit === undefined ? 0 : `starts_at / ${unitMs[unit]} * ${unitMs[unit]}`} AS at,
			${column("operation", "''")} AS operation, ${column("key", "''")} AS key, ${column("status", "0")} AS status,
			SUM(requests) AS requests, COALESCE(SUM(requests) FILTER (WHERE usage.status >= ${firstErrorStatus}), 0) AS errors,
			MIN(starts_at) AS firstAt, MAX(starts_at) AS lastAt, ${sums.join(", ")}
		FROM usage WHERE period = ?1 AND starts_at >= ?2 AND starts_at < ?3 AND (?4 IS NULL OR usage.operation = ?4)
		GROUP BY 1, 2, 3, 4`,
	);
	return (from, to) =>
		statement.all(period, from, to, operation ?? null).map(toUsageSum);
}
