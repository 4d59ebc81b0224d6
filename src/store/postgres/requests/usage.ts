// The usage in PostgreSQL.
import {
	countsAreMoving,
	tooManyCounts,
	tooManyRows,
	unitMs,
} from "../../../contract/operator/usage.ts";
import { firstErrorStatus } from "../../../domain/errors.ts";
import { postgresCleanUpRows } from "../../../limits.ts";
import { oldHours, toOldest, toParts } from "../../usage/levels.ts";
import {
	durationColumns,
	toSumColumns,
	toUsageRows,
	toUsageSum,
	type UsageRow,
	type UsageSumRow,
} from "../../usage/rows.ts";
import {
	maxUsageCounts,
	type Usage,
	type UsageQuery,
	type UsageSum,
} from "../../usage.ts";
import {
	type Database,
	type Queryable,
	query,
	type Statement,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";

export function openUsage(db: Database): Usage {
	return {
		async add(counts) {
			const rows = toUsageRows(counts);
			await withAnswerTimeout(
				query(db.writes, statements.addUsage, toUsageColumns(rows)),
			);
		},
		read: (asked) => withAnswerTimeout(readUsage(db, asked, maxUsageCounts)),
		async cleanUp(now, isStopped = () => false) {
			const repeat = async (statement: Statement, values: unknown[]) => {
				while (!isStopped()) {
					const rows = await query(db.writes, statement, values);
					if (rows.length === 0) return;
				}
			};
			await repeat(statements.moveOldHours, [oldHours.name]);
			for (const oldest of toOldest(now))
				await repeat(statements.deleteUsage, [...oldest]);
		},
	};
}

/** An array for each column. */
function toUsageColumns(rows: readonly UsageRow[]): unknown[] {
	const columns = ["period", "startsAt", "key", "operation", "status"] as const;
	return [
		...columns.map((column) => rows.map((row) => row[column])),
		rows.map(({ requests }) => requests),
		...durationColumns.map((_, index) =>
			rows.map(({ durations }) => durations[index]),
		),
	];
}

/** Refuses a query that needs more rows than `maxRows`. */
export async function readUsage(
	db: Queryable,
	asked: UsageQuery,
	maxRows?: number,
): Promise<readonly UsageSum[]> {
	const parts = toParts(asked);
	if (parts.length === 0) return [];
	const { operation = null, limit } = asked;
	const values = parts.flatMap(({ level, from, to }) => [level.name, from, to]);
	const found = parts.map((_, index) => toPart(index)).join(" UNION ALL ");
	if (maxRows !== undefined) {
		const [row] = await query<{ rows: string; isMoving: boolean | null }>(
			db,
			`SELECT count(*) AS rows, bool_or(period = '${oldHours.name}') AS "isMoving"
			FROM (SELECT period FROM (${found}) AS found LIMIT ${maxRows + 1}) AS counted`,
			values,
		);
		if (row?.isMoving) throw countsAreMoving();
		if (Number(row?.rows) > maxRows) throw tooManyCounts();
	}
	const rows = await query<UsageSumRow>(
		db,
		toSums(asked, found, values.length),
		[...values, operation, limit + 1],
	);
	if (rows.length > limit) throw tooManyRows(limit);
	return rows.map(toUsageSum);
}

/** Each part has a scan of its own. */
function toPart(index: number): string {
	const first = 3 * index + 1;
	return `SELECT * FROM petstore.usage WHERE period = $${first} AND starts_at >= $${first + 1} AND starts_at < $${first + 2}`;
}

function toSums(asked: UsageQuery, found: string, before: number): string {
	// The sum of an int8 is a numeric, which takes several times as long. These sums stay far below 2^53.
	const sum = (name: string) => `SUM(${name}::float8)`;
	const operation = `$${before + 1}`;
	return `SELECT ${toSumColumns(asked, toTime(asked), sum)}
		FROM (${found}) AS usage WHERE ${operation}::text IS NULL OR usage.operation = ${operation}
		GROUP BY 1, 3, 2, 4 LIMIT $${before + 2}`;
}

/** The time that a sum is of. The order of the index can be used only if it is a column. */
function toTime({ unit, period }: UsageQuery): string {
	if (unit === undefined) return "0";
	const ms = unitMs[unit];
	return unit === period ? "starts_at" : `starts_at / ${ms} * ${ms}`;
}

/** The levels that rows of older programs are moved to, as rows of SQL. */
const movedTo = oldHours.levels.map(
	({ name, ms, dimensions }) =>
		`('${name}', ${ms}, ${dimensions.includes("key")}, ${dimensions.includes("status")})`,
);

const addToStored = `ON CONFLICT (period, starts_at, key, operation, status) DO UPDATE SET requests = stored.requests + excluded.requests,
			${durationColumns.map((name) => `${name} = stored.${name} + excluded.${name}`).join(", ")}`;

/** In slices, so that no transaction is long. */
const someUsage = `SELECT period, starts_at, key, operation, status FROM petstore.usage`;

const statements = toStatements({
	addUsage: `INSERT INTO petstore.usage AS stored
		SELECT * FROM unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::int8[],
			${durationColumns.map((_, index) => `$${index + 7}::int8[]`).join(", ")})
		${addToStored}`,
	deleteUsage: `DELETE FROM petstore.usage WHERE (period, starts_at, key, operation, status) IN (
			${someUsage} WHERE period = $1 AND starts_at < $2 LIMIT ${postgresCleanUpRows} FOR UPDATE SKIP LOCKED
		) RETURNING 1`,
	moveOldHours: `WITH moved AS (
			DELETE FROM petstore.usage WHERE (period, starts_at, key, operation, status) IN (
				${someUsage} WHERE period = $1 LIMIT ${postgresCleanUpRows} FOR UPDATE SKIP LOCKED
			) RETURNING *
		)
		INSERT INTO petstore.usage AS stored
		SELECT name, starts_at / ms * ms, CASE WHEN has_key THEN key ELSE '' END, operation,
			CASE WHEN has_status THEN status WHEN status < ${firstErrorStatus} THEN 0 ELSE ${firstErrorStatus} END,
			SUM(requests), ${durationColumns.map((name) => `SUM(${name})`).join(", ")}
		FROM moved CROSS JOIN (VALUES ${movedTo.join(", ")}) AS level (name, ms, has_key, has_status)
		GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
		${addToStored} RETURNING 1`,
});
