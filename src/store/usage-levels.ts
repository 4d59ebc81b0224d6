// The levels at which usage is kept: how long the time of a row is, what its requests have in common, and how long it is kept.
// Every count is added to all of them. A read takes those that answer it from few rows, however long its range and however many keys there are.
import {
	type Dimension,
	dimensions,
	unitMs,
	usageDaysMs,
	usageHoursMs,
	usageMinutesMs,
} from "../contract/operator/usage.ts";
import type { UsageQuery } from "./usage.ts";

export interface Level {
	/** What the column `period` has. */
	readonly name: string;
	/** The time that one row is of. */
	readonly ms: number;
	/** What its rows are told apart by. Without the status they only tell whether it is an error. */
	readonly dimensions: readonly Dimension[];
	readonly keptMs: number;
}

const { minute, hour, day } = unitMs;

const level = {
	minute: { name: "minute", ms: minute, dimensions, keptMs: usageMinutesMs },
	hour: { name: "1 hour", ms: hour, dimensions, keptMs: usageHoursMs },
	/** As many rows for any number of keys. */
	dayOfOperations: {
		...{ name: "1 day of operations", ms: day, keptMs: usageDaysMs },
		dimensions: ["operation", "status"],
	},
	dayOfKeys: {
		...{ name: "1 day of keys", ms: day, keptMs: usageDaysMs },
		dimensions: ["operation", "key"],
	},
	/** For sums of long ranges: 400 days are at most 55 parts of these and of days. */
	daysOfKeys: {
		...{ name: "16 days of keys", ms: 16 * day, keptMs: usageDaysMs },
		dimensions: ["operation", "key"],
	},
} as const satisfies Readonly<Record<string, Level>>;

export const levels: readonly Level[] = Object.values(level);

/** The rows of hours of older programs, which had no longer ones: they are in no other level, and the clean-up moves them to all that follow. */
export const oldHours = {
	...{ name: "hour", ms: hour, dimensions, keptMs: usageDaysMs },
	levels: levels.filter(({ ms }) => ms >= hour),
};

/** Where a read finds rows: those of one level that start in a range. */
export interface Part {
	readonly level: Level;
	readonly from: number;
	readonly to: number;
}

/** Rows that are still to be moved count too. While a service moves them, it refuses to read them. */
export function toParts(query: UsageQuery): readonly Part[] {
	const { period, from, to } = query;
	if (period === "minute") return only(level.minute, from, to);
	return [...toMovedParts(query), ...only(oldHours, from, to)];
}

function toMovedParts(query: UsageQuery): readonly Part[] {
	const { period, by, unit, operation, from, to } = query;
	if (period !== "day") return only(level[period], from, to);
	if (!by.includes("key")) return only(level.dayOfOperations, from, to);
	const { dayOfKeys, daysOfKeys } = level;
	// A row of several days has neither its days nor the first and the last of them.
	if (unit !== undefined || operation !== undefined)
		return only(dayOfKeys, from, to);
	const first = Math.min(to, Math.ceil(from / daysOfKeys.ms) * daysOfKeys.ms);
	const last = Math.max(first, Math.floor(to / daysOfKeys.ms) * daysOfKeys.ms);
	return [
		...only(dayOfKeys, from, first),
		...only(daysOfKeys, first, last),
		...only(dayOfKeys, last, to),
	];
}

function only(level: Level, from: number, to: number): readonly Part[] {
	return from < to ? [{ level, from, to }] : [];
}

/** For each level the first start that is kept: that of the minute, hour or day in which the time ends. */
export function toOldest(
	now: number,
): readonly (readonly [name: string, startsAt: number])[] {
	return levels.map(({ name, ms, keptMs }) => {
		const oldest = now - keptMs;
		return [name, oldest - (oldest % Math.min(ms, day))];
	});
}
