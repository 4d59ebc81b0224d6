// The levels of usage: the time that a row covers, its dimensions, and how long it is kept. Every count is added to all levels.
// A read uses the levels that answer it from few rows, for any range and any number of keys.
import {
	type Dimension,
	dimensions,
	unitMs,
	usageKeptMs,
} from "../../contract/operator/usage.ts";
import type { UsageQuery } from "../usage.ts";

export interface Level {
	/** The value in the column `period`. */
	readonly name: string;
	/** The time that one row covers. */
	readonly ms: number;
	/** The dimensions of its rows. Without `status` a row only says whether the status is an error. */
	readonly dimensions: readonly Dimension[];
	readonly keptMs: number;
}

const { minute, hour, day } = unitMs;

const level = {
	minute: {
		name: "minute",
		ms: minute,
		dimensions,
		keptMs: usageKeptMs.minute,
	},
	hour: { name: "1 hour", ms: hour, dimensions, keptMs: usageKeptMs.hour },
	/** Has as many rows for any number of keys. */
	dayOfOperations: {
		name: "1 day of operations",
		ms: day,
		keptMs: usageKeptMs.day,
		dimensions: ["operation", "status"],
	},
	dayOfKeys: {
		name: "1 day of keys",
		ms: day,
		keptMs: usageKeptMs.day,
		dimensions: ["operation", "key"],
	},
	/** For sums of long ranges: 400 days are at most 55 parts of these and of days. */
	daysOfKeys: {
		name: "16 days of keys",
		ms: 16 * day,
		keptMs: usageKeptMs.day,
		dimensions: ["operation", "key"],
	},
} as const satisfies Readonly<Record<string, Level>>;

export const levels: readonly Level[] = Object.values(level);

/** The rows of one level that start in a range. */
export interface Part {
	readonly level: Level;
	readonly from: number;
	readonly to: number;
}

export function toParts(query: UsageQuery): readonly Part[] {
	const { period, by, unit, operation, from, to } = query;
	if (period !== "day") return only(level[period], from, to);
	if (!by.includes("key")) return only(level.dayOfOperations, from, to);
	const { dayOfKeys, daysOfKeys } = level;
	// A row of several days does not say which days had requests.
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

/** The oldest start that each level keeps. */
export function toOldest(
	now: number,
): readonly (readonly [name: string, startsAt: number])[] {
	return levels.map(({ name, ms, keptMs }) => {
		const oldest = now - keptMs;
		return [name, oldest - (oldest % Math.min(ms, day))];
	});
}
