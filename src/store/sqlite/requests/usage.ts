// The usage in SQLite.
import type { Database } from "bun:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	countsAreMoving,
	type Dimension,
	tooManyCounts,
	tooManyRows,
	unitMs,
} from "../../../contract/operator/usage.ts";
import { usageReadMs } from "../../../limits.ts";
import { oldHours, toOldest, toParts } from "../../usage/levels.ts";
import {
	addSum,
	toSumColumns,
	toUsageRows,
	toUsageSum,
	type UsageSumRow,
} from "../../usage/rows.ts";
import type { Usage, UsageQuery, UsageSum } from "../../usage.ts";
import { maxUsageCounts } from "../../usage.ts";
import { retryWhileBusy } from "../database.ts";
import type { Writer } from "./writer/writer.ts";

/** Rows that SQLite sums at once. That stops the event loop for some milliseconds. */
const usageSliceRows = 1_000;

export function openUsage(db: Database, writer: Writer): Usage {
	const findOld = db.query<{ period: string }, [string, number]>(
		"SELECT period FROM usage WHERE period = ? AND starts_at < ? LIMIT 1",
	);
	const hasBefore = (level: string, time: number) =>
		retryWhileBusy(() => findOld.get(level, time) !== null);

	return {
		add: (counts) => writer.write("addUsage", toUsageRows(counts)),
		async read(query) {
			if (
				query.period !== "minute" &&
				(await hasBefore(oldHours.name, query.to))
			)
				throw countsAreMoving();
			const bounds = { maxMs: usageReadMs, maxRows: maxUsageCounts };
			return readUsage(db, query, bounds);
		},
		async cleanUp(now, isStopped = () => false) {
			while (!isStopped() && (await hasBefore(oldHours.name, maxTime))) {
				await writer.write("moveOldHours");
				await nextIteration();
			}
			for (const [level, oldest] of toOldest(now))
				while (!isStopped() && (await hasBefore(level, oldest))) {
					await writer.write("deleteUsage", level, oldest);
					await nextIteration();
				}
		},
	};
}

const maxTime = Number.MAX_SAFE_INTEGER;

/** Reads in slices, since the event loop stops while SQLite sums. Refuses a query that takes longer or needs more rows. */
export async function readUsage(
	db: Database,
	query: UsageQuery,
	{ maxMs = Number.POSITIVE_INFINITY, maxRows = Number.POSITIVE_INFINITY } = {},
): Promise<readonly UsageSum[]> {
	const deadline = performance.now() + maxMs;
	const sums = new Map<string, UsageSum>();
	const read = prepareSums(db, query);
	let rows = 0;
	for (const { level, from, to } of toParts(query)) {
		const end = toPlace(to);
		for (let after = toPlace(from); after !== end; rows += usageSliceRows) {
			if (rows > maxRows) throw tooManyCounts();
			const last = await retryWhileBusy(() =>
				findLast(db, level.name, after, end),
			);
			for (const sum of await retryWhileBusy(() =>
				read(level.name, after, last),
			))
				addSum(sums, sum);
			if (sums.size > query.limit) throw tooManyRows(query.limit);
			after = last;
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

const place = "(starts_at, key, operation, status)";

/** The last row of the slice that begins after a place; the end if fewer rows are left. */
function findLast(
	db: Database,
	level: string,
	after: Place,
	end: Place,
): Place {
	const row = db
		.query<
			{ startsAt: bigint; key: string; operation: string; status: bigint },
			[string, ...Place, ...Place]
		>(
			`SELECT starts_at AS startsAt, key, operation, status FROM usage
			WHERE period = ? AND ${place} > (?, ?, ?, ?) AND ${place} <= (?, ?, ?, ?)
			ORDER BY starts_at, key, operation, status LIMIT 1 OFFSET ${usageSliceRows - 1}`,
		)
		.get(level, ...after, ...end);
	if (row === null) return end;
	const { startsAt, key, operation, status } = row;
	return [Number(startsAt), key, operation, Number(status)];
}

/** The start of the order of rows that covers all dimensions of the query. */
function toPrefix(by: readonly Dimension[]): readonly Dimension[] {
	const ordered = ["key", "operation", "status"] as const;
	return ordered.filter((_, index) =>
		ordered.slice(index).some((dimension) => by.includes(dimension)),
	);
}

function prepareSums(
	db: Database,
	{ by, unit, operation }: UsageQuery,
): (level: string, after: Place, last: Place) => UsageSum[] {
	const prefix = toPrefix(by);
	// Rows in the order of the index are summed several times as fast, unless that gives many more sums than the query asks for.
	const groups =
		by.length < prefix.length
			? "1, 2, 3, 4"
			: ["starts_at", ...prefix].map((name) => `usage.${name}`).join(", ");
	const time =
		unit === undefined ? "0" : `starts_at / ${unitMs[unit]} * ${unitMs[unit]}`;
	const statement = db
		.query<UsageSumRow, [string, ...Place, ...Place, string | null]>(
			`SELECT ${toSumColumns({ by }, time, (name) => `SUM(${name})`)}
			FROM usage WHERE period = ?1 AND ${place} > (?2, ?3, ?4, ?5) AND ${place} <= (?6, ?7, ?8, ?9)
				AND (?10 IS NULL OR usage.operation = ?10)
			GROUP BY ${groups}`,
		)
		// Their sums stay far below 2^53.
		.safeIntegers(false);
	return (level, after, last) =>
		statement.all(level, ...after, ...last, operation ?? null).map(toUsageSum);
}
