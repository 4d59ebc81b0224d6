// The rows of the table `usage`, as both engines have them: one for each period, start, key, operation and status.
import { firstErrorStatus } from "../../domain/errors.ts";
import { durationCount, type UsageCount } from "../usage.ts";
import { type Level, levels } from "./levels.ts";

export interface UsageRow extends Omit<UsageCount, "at"> {
	/** The name of its level. */
	readonly period: string;
	readonly startsAt: number;
}

export const durationColumns = Array.from(
	{ length: durationCount },
	(_, index) => `d${index}`,
);

/** One row for each primary key, in a fixed order, so that two processes that add rows cannot deadlock. */
export function toUsageRows(counts: readonly UsageCount[]): UsageRow[] {
	const rows = new Map<string, UsageRow>();
	for (const count of counts)
		for (const level of levels) {
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

/** Keeps only whether it is an error. */
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

const numberColumns = ["requests", ...durationColumns];

/** Follows an INSERT of rows into `petstore.usage AS stored`. */
export const addToStored = `ON CONFLICT (period, starts_at, key, operation, status)
	DO UPDATE SET ${numberColumns.map((name) => `${name} = stored.${name} + excluded.${name}`).join(", ")}`;
