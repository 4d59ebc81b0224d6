// readUsage: counts and durations of requests by operation, key and status, for a range of time.
import { httpStatus } from "../../../contract/operation.ts";
import {
	maxUsageRows,
	type TimeUnit,
	type UsageGroups,
	unitMs,
	usageBy,
	usageDaysMs,
	usageFrom,
	usageHourRangeMs,
	usageHoursMs,
	usageMinuteRangeMs,
	usageMinutesMs,
	usageTo,
} from "../../../contract/operator/usage.ts";
import { invalid, readParameter } from "../../../contract/parameter.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Route } from "../../../http/surface.ts";
import {
	startOf,
	type Usage,
	type UsageQuery,
	type UsageSum,
} from "../../../store/usage.ts";
import { toQuantileMs } from "../../../usage/quantile.ts";

/** `flush` adds the counts of this process to the store, so that a caller sees its own requests. */
export function readUsage(
	usage: Pick<Usage, "read">,
	flush: () => Promise<void>,
): Route["handle"] {
	return async ({ query, headers }) => {
		const groups = readParameter(query, usageBy);
		const from = readParameter(query, usageFrom);
		const to = readParameter(query, usageTo);
		const range = toRange({ from, to, ...groups }, Date.now());
		await flush();
		const limit = maxUsageRows;
		const sums = await usage.read({ ...range, ...groups, limit });
		const rows = sums.toSorted(compareSums).map((sum) => toRow(sum, groups));
		return { status: httpStatus.ok, headers, body: JSON.stringify({ rows }) };
	};
}

/** Members that are undefined are left out of the JSON text. */
export function toRow(sum: UsageSum, { by, unit }: UsageGroups): object {
	const { at, operation, key, status, requests, errors, durations } = sum;
	return {
		...(unit !== undefined && { [unit]: toTimeText(at) }),
		...(by.includes("operation") && { operation }),
		...(by.includes("key") && { key: toKey(key) }),
		...(by.includes("status") && { status }),
		requests,
		errors,
		p50Ms: toQuantileMs(durations, 0.5),
		p99Ms: toQuantileMs(durations, 0.99),
	};
}

/** The id of a stored key as a number, the name of another, undefined for callers without a valid key. */
export function toKey(text: string): number | string | undefined {
	if (text === "") return undefined;
	return /^\d+$/.test(text) ? Number(text) : text;
}

/** By time, operation, key and status. */
export function compareSums(one: UsageSum, other: UsageSum): number {
	return (
		one.at - other.at ||
		compareTexts(one.operation, other.operation) ||
		compareKeys(one.key, other.key) ||
		one.status - other.status
	);
}

/** No key comes first, then ids by their numbers, then names. */
function compareKeys(one: string, other: string): number {
	const [first, second] = [Number(one || -1), Number(other || -1)];
	const isName = Number.isNaN(first);
	if (!isName && !Number.isNaN(second)) return first - second;
	if (isName && Number.isNaN(second)) return compareTexts(one, other);
	return isName ? 1 : -1;
}

function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

interface Asked extends UsageGroups {
	readonly from: number | undefined;
	readonly to: number | undefined;
}

export function toRange(
	{ by, unit = "day", ...asked }: Asked,
	now: number,
): Pick<UsageQuery, "period" | "from" | "to"> {
	const { to = now } = asked;
	const { from = to - unitMs.day } = asked;
	if (from >= to) throw invalid("from", "must be before to");
	if (to - from > usageDaysMs)
		throw invalid("from", `must be at most ${days(usageDaysMs)} before to`);
	const isByBoth =
		unit === "day" && by.includes("key") && by.includes("status");
	const period = isByBoth
		? toPeriod({ from, to, now }, "hour", "key together with status")
		: toPeriod({ from, to, now }, unit, unit);
	// Older rows are deleted later, and rows of several days may still have their counts.
	const oldest = startOf(now - usageDaysMs, "day");
	return { period, from: Math.max(oldest, startOf(from, period)), to };
}

/** The times of rows that are shorter than a day: how long they are kept, and in which ranges they are summed. */
const levels = [
	{
		unit: "minute",
		keptMs: usageMinutesMs,
		kept: `${usageMinutesMs / unitMs.hour} hours`,
		rangeMs: usageMinuteRangeMs,
	},
	{
		unit: "hour",
		keptMs: usageHoursMs,
		kept: days(usageHoursMs),
		rangeMs: usageHourRangeMs,
	},
] as const;

/** The time of the rows to sum. It must not be longer than `needed`, which `by` asks for. */
function toPeriod(
	{ from, to, now }: Record<"from" | "to" | "now", number>,
	needed: TimeUnit,
	by: string,
): TimeUnit {
	const isKept = ({ keptMs }: { keptMs: number }) => from >= now - keptMs;
	const exact = levels.find(
		(level) => to - from <= level.rangeMs && isKept(level),
	);
	const period = exact?.unit ?? "day";
	const level = levels.find(({ unit }) => unit === needed);
	if (level === undefined || unitMs[period] <= unitMs[needed]) return period;
	if (isKept(level)) return needed;
	throw invalid(
		"by",
		`must not have ${by} if from is more than ${level.kept} ago: that is kept for ${level.kept}`,
	);
}

function days(ms: number): string {
	return `${ms / unitMs.day} days`;
}
