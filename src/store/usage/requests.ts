// Adds counts to the table `usage` and sums them, in the SQL of both engines.
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	type Dimension,
	tooManyCounts,
	tooManyRows,
	unitMs,
} from "../../contract/operator/usage.ts";
import { firstErrorStatus } from "../../domain/errors.ts";
import { usageReadMs } from "../../limits.ts";
import type { EngineRow, SqlRequests } from "../archive/tables.ts";
import {
	maxUsageCounts,
	type Usage,
	type UsageQuery,
	type UsageSum,
} from "../usage.ts";
import { toParts } from "./levels.ts";
import {
	addNumbers,
	addToStored,
	durationColumns,
	toUsageRows,
} from "./rows.ts";

/** How an engine sums rows. */
export interface Summing {
	/** Rows of one query, which blocks the event loop on SQLite. */
	readonly sliceRows: number;
	/** SQLite sums rows faster in the order of the index. */
	readonly isOrdered: boolean;
	/** PostgreSQL sums float8 faster than int8. These sums stay far below 2^53. */
	readonly sum: (column: string) => string;
}

export const summing: Readonly<Record<"sqlite" | "postgres", Summing>> = {
	sqlite: {
		sliceRows: 1_000,
		isOrdered: true,
		sum: (column) => `SUM(${column})`,
	},
	postgres: {
		sliceRows: 50_000,
		isOrdered: false,
		sum: (column) => `SUM(${column}::float8)`,
	},
};

export function openUsage(
	{ read, write }: SqlRequests,
	engine: Summing,
): Usage {
	return {
		async add(counts) {
			if (counts.length === 0) return;
			const texts: string[] = [];
			const rows = toUsageRows(counts).map((row) => {
				const last = texts.push(row.key, row.operation);
				const numbers = [row.status, row.requests, ...row.durations];
				return `('${row.period}', ${row.startsAt}, $${last - 1}, $${last}, ${numbers.join(", ")})`;
			});
			await write(
				`INSERT INTO petstore.usage AS stored VALUES ${rows.join(", ")} ${addToStored}`,
				texts,
			);
		},

		read: (query) =>
			sumUsage(read, query, engine, {
				maxMs: usageReadMs,
				maxRows: maxUsageCounts,
			}),
	};
}

/** Sums one slice after the other. Refuses a query that takes longer or needs more rows. */
export async function sumUsage(
	read: SqlRequests["read"],
	query: UsageQuery,
	engine: Summing,
	{ maxMs = Number.POSITIVE_INFINITY, maxRows = Number.POSITIVE_INFINITY } = {},
): Promise<readonly UsageSum[]> {
	const deadline = performance.now() + maxMs;
	const sums = new Map<string, UsageSum>();
	const { sliceRows } = engine;
	const text = toSumQuery(query, engine);
	const { operation = null } = query;
	let rows = 0;
	for (const { level, from, to } of toParts(query)) {
		const end = toPlace(to);
		for (let after = toPlace(from); after !== end; ) {
			if (rows >= maxRows) throw tooManyCounts();
			const slice = [level.name, ...after, ...end];
			const [found] = await read(toFindLast(sliceRows), slice);
			const last = found === undefined ? end : toLast(found);
			const values = [level.name, ...after, ...last, operation];
			for (const sum of await read(text, values)) addSum(sums, toSum(sum));
			if (sums.size > query.limit) throw tooManyRows(query.limit);
			after = last;
			if (last !== end) rows += sliceRows;
			await nextIteration();
			// Another try would take as long.
			if (performance.now() > deadline) throw tooManyCounts();
		}
	}
	return [...sums.values()];
}

/** A place in the order of the rows of a level. */
type Place = readonly [
	startsAt: number,
	key: string,
	operation: string,
	status: number,
];

/** Before all rows that start then. */
function toPlace(startsAt: number): Place {
	return [startsAt, "", "", -1];
}

function toLast({ startsAt, key, operation, status }: EngineRow): Place {
	return [Number(startsAt), String(key), String(operation), Number(status)];
}

const place = "starts_at, key, operation, status";
const isInSlice = `period = $1 AND (${place}) > ($2, $3, $4, $5) AND (${place}) <= ($6, $7, $8, $9)`;

/** The last row of the slice that begins after a place; none if fewer rows are left. */
function toFindLast(sliceRows: number): string {
	return `SELECT starts_at AS "startsAt", key, operation, status FROM petstore.usage
		WHERE ${isInSlice} ORDER BY ${place} LIMIT 1 OFFSET ${sliceRows - 1}`;
}

/** Members that were not asked for are empty or 0. */
function toSumQuery(
	{ by, unit }: UsageQuery,
	{ sum, isOrdered }: Summing,
): string {
	const column = (dimension: Dimension, none: string) =>
		`${by.includes(dimension) ? `usage.${dimension}` : none} AS ${dimension}`;
	const time =
		unit === undefined ? "0" : `starts_at / ${unitMs[unit]} * ${unitMs[unit]}`;
	return `SELECT ${time} AS at, ${column("operation", "''")}, ${column("key", "''")}, ${column("status", "0")},
			${sum("requests")} AS requests, COALESCE(${sum("requests")} FILTER (WHERE usage.status >= ${firstErrorStatus}), 0) AS errors,
			MIN(starts_at) AS "firstAt", MAX(starts_at) AS "lastAt", ${durationColumns.map((name) => `${sum(name)} AS ${name}`).join(", ")}
		FROM petstore.usage WHERE ${isInSlice} AND (CAST($10 AS text) IS NULL OR usage.operation = $10)
		GROUP BY ${isOrdered ? toOrderedGroups(by) : "1, 2, 3, 4"}`;
}

/** In the order of the index, unless that gives many more sums than the query asks for. */
function toOrderedGroups(by: readonly Dimension[]): string {
	const ordered = ["key", "operation", "status"] as const;
	const prefix = ordered.filter((_, index) =>
		ordered.slice(index).some((dimension) => by.includes(dimension)),
	);
	return by.length < prefix.length
		? "1, 2, 3, 4"
		: ["starts_at", ...prefix].map((name) => `usage.${name}`).join(", ");
}

function toSum(row: EngineRow): UsageSum {
	return {
		at: Number(row.at),
		operation: String(row.operation),
		key: String(row.key),
		status: Number(row.status),
		requests: Number(row.requests),
		errors: Number(row.errors),
		durations: durationColumns.map((column) => Number(row[column])),
		firstAt: Number(row.firstAt),
		lastAt: Number(row.lastAt),
	};
}

/** Adds a sum to the one of the same time, operation, key and status. */
function addSum(sums: Map<string, UsageSum>, sum: UsageSum): void {
	const name = `${sum.at} ${sum.status} ${sum.operation} ${sum.key}`;
	const { requests, errors, durations, firstAt, lastAt } =
		sums.get(name) ?? none;
	sums.set(name, {
		...sum,
		requests: requests + sum.requests,
		errors: errors + sum.errors,
		durations: addNumbers(sum.durations, durations),
		firstAt: Math.min(firstAt, sum.firstAt),
		lastAt: Math.max(lastAt, sum.lastAt),
	});
}

const none = {
	requests: 0,
	errors: 0,
	durations: [],
	firstAt: Number.POSITIVE_INFINITY,
	lastAt: 0,
};
