// The rows of the table `usage`, as both engines have them: one for each period, start, key, operation and status.
import type { Dimension } from "../../contract/operator/usage.ts";
import { firstErrorStatus } from "../../domain/errors.ts";
import {
	durationCount,
	type UsageCount,
	type UsageQuery,
	type UsageSum,
} from "../usage.ts";
import { type Level, levels } from "./levels.ts";

export interface UsageRow extends Omit<UsageCount, "at"> {
	/** The name of its level. */
	readonly period: string;
	readonly startsAt: number;
}

/** The columns of the durations. */
export const durationColumns = Array.from(
	{ length: durationCount },
	(_, index) => `d${index}`,
);

/** A row by the names of its columns, with numbers as an engine gives them. */
export type UsageValues = Readonly<Record<string, string | number | bigint>>;

export function toUsageRow(row: UsageValues): UsageRow {
	return {
		period: String(row.period),
		key: String(row.key),
		operation: String(row.operation),
		startsAt: Number(row.starts_at),
		status: Number(row.status),
		requests: Number(row.requests),
		durations: durationColumns.map((column) => Number(row[column])),
	};
}

/** One row for each key, ordered by key, so that two processes that add rows cannot deadlock. */
export function toUsageRows(
	counts: readonly UsageCount[],
	added = levels,
): UsageRow[] {
	const rows = new Map<string, UsageRow>();
	for (const count of counts)
		for (const level of added) {
			const row = toRow(count, level);
			const { period, startsAt, key, operation, status } = row;
			const name = `${period} ${startsAt} ${status} ${operation} ${key}`;
			rows.set(name, addRow(rows.get(name), row));
		}
	return [...rows].sort(byName).map(([, row]) => row);
}

function toRow(
	{ at, key, operation, status, ...count }: UsageCount,
	{ name, ms, dimensions }: Level,
): UsageRow {
	return {
		...count,
		period: name,
		startsAt: at - (at % ms),
		key: dimensions.includes("key") ? key : "",
		operation,
		status: dimensions.includes("status") ? status : toKind(status),
	};
}

/** Whether it is an error, as a status. */
function toKind(status: number): number {
	return status < firstErrorStatus ? 0 : firstErrorStatus;
}

function addRow(one: UsageRow | undefined, other: UsageRow): UsageRow {
	if (one === undefined) return other;
	return {
		...other,
		requests: one.requests + other.requests,
		durations: addNumbers(one.durations, other.durations),
	};
}

/** Missing entries of the second count as 0. */
export function addNumbers(
	some: readonly number[],
	others: readonly number[],
): number[] {
	return some.map((count, index) => count + (others[index] ?? 0));
}

function byName([one]: [string, UsageRow], [other]: [string, UsageRow]) {
	return one < other ? -1 : 1;
}

/** The columns of a sum of `usage` rows. `time` is its start, and `sum` adds up a column. */
export function toSumColumns(
	{ by }: Pick<UsageQuery, "by">,
	time: string,
	sum: (column: string) => string,
): string {
	const column = (dimension: Dimension, none: string) =>
		`${by.includes(dimension) ? `usage.${dimension}` : none} AS ${dimension}`;
	return [
		`${time} AS at`,
		column("operation", "''"),
		column("key", "''"),
		column("status", "0"),
		`${sum("requests")} AS requests`,
		`COALESCE(${sum("requests")} FILTER (WHERE usage.status >= ${firstErrorStatus}), 0) AS errors`,
		`MIN(starts_at) AS "firstAt", MAX(starts_at) AS "lastAt"`,
		...durationColumns.map((name) => `${sum(name)} AS ${name}`),
	].join(", ");
}

/** A sum as the engines read it: numbers may be bigints or decimal text. */
export type UsageSumRow = Readonly<
	Record<string, string | number | bigint | null>
>;

export function toUsageSum(row: UsageSumRow): UsageSum {
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
export function addSum(sums: Map<string, UsageSum>, sum: UsageSum): void {
	const name = `${sum.at} ${sum.status} ${sum.operation} ${sum.key}`;
	const before = sums.get(name);
	sums.set(name, before === undefined ? sum : toTotal(before, sum));
}

function toTotal(one: UsageSum, other: UsageSum): UsageSum {
	return {
		...one,
		requests: one.requests + other.requests,
		errors: one.errors + other.errors,
		durations: addNumbers(one.durations, other.durations),
		firstAt: Math.min(one.firstAt, other.firstAt),
		lastAt: Math.max(one.lastAt, other.lastAt),
	};
}
