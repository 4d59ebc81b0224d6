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
import type { Usage, UsageSum } from "../../../store/usage.ts";
import { startOf, type UsageQuery } from "../../../store/usage.ts";
import { toQuantileMs } from "../../../usage/quantile.ts";

/** `flush` adds the counts of this process to the store, so that a caller sees its own requests. */
export function readUsage(
	usage: Pick<Usage, "read">,
	flush: () => Promise<void>,
): Route["handle"] {
	return async ({ query, headers }) => {
		const groups = readParameter(query, usageBy);
		const range = toRange(
			{
				from: readParameter(query, usageFrom),
				to: readParameter(query, usageTo),
				...groups,
			},
			Date.now(),
		);
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

/** By time, operation, key and status. Ids of keys come before names, and no key comes first. */
export function compareSums(one: UsageSum, other: UsageSum): number {
	return (
		one.at - other.at ||
		compareTexts(one.operation, other.operation) ||
		compareKeys(toKey(one.key), toKey(other.key)) ||
		one.status - other.status
	);
}

function compareKeys(
	one: ReturnType<typeof toKey>,
	other: ReturnType<typeof toKey>,
): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	return rankOf(one) - rankOf(other) || compareTexts(`${one}`, `${other}`);
}

function rankOf(key: ReturnType<typeof toKey>): number {
	if (key === undefined) return 0;
	return typeof key === "number" ? 1 : 2;
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
	asked: Asked,
	now: number,
): Pick<UsageQuery, "period" | "from" | "to"> {
	const to = asked.to ?? now;
	const from = asked.from ?? to - unitMs.day;
	if (from >= to) throw invalid("from", "must be before to");
	if (to - from > usageDaysMs)
		throw invalid("from", `must be at most ${days(usageDaysMs)} before to`);
	const period = toPeriod(from, to, asked, now);
	// What is older is deleted at some time, and rows of several days may still have it.
	const oldest = startOf(now - usageDaysMs, "day");
	return { period, from: Math.max(oldest, startOf(from, period)), to };
}

function toPeriod(
	from: number,
	to: number,
	{ by, unit }: UsageGroups,
	now: number,
): TimeUnit {
	const period = toExactest(from, to, now);
	const needed = toNeeded(by, unit);
	if (unitMs[period] <= unitMs[needed.unit]) return period;
	const keptMs = needed.unit === "minute" ? usageMinutesMs : usageHoursMs;
	if (from >= now - keptMs) return needed.unit;
	const kept =
		needed.unit === "minute"
			? `${keptMs / unitMs.hour} hours`
			: days(usageHoursMs);
	throw invalid(
		"by",
		`must not have ${needed.by} if from is more than ${kept} ago: that is kept for ${kept}`,
	);
}

/** The longest time that rows may have which tell apart what is asked for, and by what of it. */
function toNeeded(
	by: UsageGroups["by"],
	unit: TimeUnit = "day",
): { unit: TimeUnit; by: string } {
	return unit === "day" && by.includes("key") && by.includes("status")
		? { unit: "hour", by: "key together with status" }
		: { unit, by: unit };
}

function toExactest(from: number, to: number, now: number): TimeUnit {
	const isWithin = (rangeMs: number, keptMs: number) =>
		to - from <= rangeMs && from >= now - keptMs;
	if (isWithin(usageMinuteRangeMs, usageMinutesMs)) return "minute";
	return isWithin(usageHourRangeMs, usageHoursMs) ? "hour" : "day";
}

function days(ms: number): string {
	return `${ms / unitMs.day} days`;
}
