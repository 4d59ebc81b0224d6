// The usage in PostgreSQL.

import { firstErrorStatus } from "../../contract/errors.ts";
import { type Dimension, unitMs } from "../../contract/usage-groups.ts";
import { postgresCleanUpRows } from "../../limits.ts";
import type { Period, Usage, UsageQuery, UsageSum } from "../usage.ts";
import {
	durationColumns,
	toOldest,
	toUsageRows,
	toUsageSum,
	type UsageRow,
	type UsageSumRow,
} from "../usage-rows.ts";
import {
	type Database,
	type Queryable,
	query,
	toStatements,
	withAnswerTimeout,
} from "./database.ts";

export function openUsage(db: Database): Usage {
	return {
		async add(counts) {
			const rows = toUsageRows(counts);
			await withAnswerTimeout(
				query(db.writes, statements.addUsage, toUsageColumns(rows)),
			);
		},
		read: (asked) => withAnswerTimeout(readUsage(db, asked)),
		async deleteOld(now) {
			for (const [period, oldest] of toOldest(now))
				await deleteBefore(db, period, oldest);
		},
	};
}

/** An array for each column. */
export function toUsageColumns(rows: readonly UsageRow[]): unknown[] {
	return [
		rows.map(({ period }) => period),
		rows.map(({ startsAt }) => startsAt),
		rows.map(({ key }) => key),
		rows.map(({ operation }) => operation),
		rows.map(({ status }) => status),
		rows.map(({ requests }) => requests),
		...durationColumns.map((_, index) =>
			rows.map(({ durations }) => durations[index]),
		),
	];
}

/** In slices, so that no transaction is long. */
async function deleteBefore(
	db: Database,
	period: Period,
	oldest: number,
): Promise<void> {
	for (;;) {
		const deleted = await query(db.writes, statements.deleteUsage, [
			period,
			oldest,
			postgresCleanUpRows,
		]);
		if (deleted.length < postgresCleanUpRows) return;
	}
}

export async function readUsage(
	db: Queryable,
	asked: UsageQuery,
): Promise<readonly UsageSum[]> {
	const { period, from, to, operation = null, limit } = asked;
	const rows = await query<UsageSumRow>(db, toSums(asked), [
		period,
		from,
		to,
		operation,
		limit,
	]);
	return rows.map(toUsageSum);
}

function toSums({ by, unit }: UsageQuery): string {
	const column = (dimension: Dimension, none: string) =>
		by.includes(dimension) ? `usage.${dimension}` : none;
	const sums = durationColumns.map((name) => `SUM(${name}) AS ${name}`);
	return `
		SELECT ${unit === undefined ? 0 : `starts_at / ${unitMs[unit]} * ${unitMs[unit]}`} AS at,
			${column("operation", "''")} AS operation, ${column("key", "''")} AS key, ${column("status", "0")} AS status,
			SUM(requests) AS requests, COALESCE(SUM(requests) FILTER (WHERE usage.status >= ${firstErrorStatus}), 0) AS errors,
			MIN(starts_at) AS "firstAt", MAX(starts_at) AS "lastAt", ${sums.join(", ")}
		FROM petstore.usage WHERE period = $1 AND starts_at >= $2 AND starts_at < $3 AND ($4::text IS NULL OR usage.operation = $4)
		GROUP BY 1, 2, 3, 4 LIMIT $5`;
}

const statements = toStatements({
	addUsage: `INSERT INTO petstore.usage AS stored
		SELECT * FROM unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::int8[],
			${durationColumns.map((_, index) => `$${index + 7}::int8[]`).join(", ")})
		ON CONFLICT (period, starts_at, key, operation, status) DO UPDATE SET requests = stored.requests + excluded.requests,
			${durationColumns.map((name) => `${name} = stored.${name} + excluded.${name}`).join(", ")}`,
	deleteUsage: `DELETE FROM petstore.usage WHERE (period, starts_at, key, operation, status) IN (
			SELECT period, starts_at, key, operation, status FROM petstore.usage
			WHERE period = $1 AND starts_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED
		) RETURNING 1`,
});
