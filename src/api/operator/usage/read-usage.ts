// readUsage: counts and durations of requests by operation, key and status, for a range of time.
import {
	maxUsageRows,
	type TimeUnit,
	type UsageGroups,
	unitMs,
	usageBy,
	usageFrom,
	usageKeptMs,
	usageRangeMs,
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
import { toJsonReply } from "../replies.ts";

/** `flush` adds the counts of this process to the store, so that a caller sees its own requests. */
export function readUsage(
	usage: Pick<Usage, "read">,
	flush: () => Promise<void>,
): Route["handle"] {
	return async ({ query }) => {
		const groups = readParameter(query, usageBy);
		const from = readParameter(query, usageFrom);
		const to = readParameter(query, usageTo);
		const range = toRange({ from, to, ...groups }, Date.now());
		await flush();
		const limit = maxUsageRows;
		const sums = await usage.read({ ...range, ...groups, limit });
		const rows = sums.toSorted(compareSums).map((sum) => toRow(sum, groups));
		return toJsonReply({ rows });
	};
}

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

/** The id of a stored key as a number, or another key's name; undefined without a valid key. */
export function toKey(text: string): number | string | undefined {
	if (text === "") return undefined;
	return /^\d+$/.test(text) ? Number(text) : text;
}

export function compareSums(one: UsageSum, other: UsageSum): number {
	return (
		one.at - other.at ||
		compareTexts(one.operation, other.operation) ||
		compareTexts(toSortedKey(one.key), toSortedKey(other.key)) ||
		one.status - other.status
	);
}

/** Pads ids, so that no key sorts first, then ids by number, then names. */
function toSortedKey(key: string): string {
	return /^\d*$/.test(key) ? key.padStart(20) : key;
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
	if (to - from > usageKeptMs.day)
		throw invalid("from", `must be at most ${days(usageKeptMs.day)} before to`);
	const isByBoth =
		unit === "day" && by.includes("key") && by.includes("status");
	const period = isByBoth
		? toPeriod({ from, to, now }, "hour", "key together with status")
		: toPeriod({ from, to, now }, unit, unit);
	// Leaves out expired counts, which are deleted later.
	const oldest = startOf(now - usageKeptMs.day, "day");
	return { period, from: Math.max(oldest, startOf(from, period)), to };
}

/** The unit of the rows to sum: not longer than `needed`, which `by` asks for. */
function toPeriod(
	{ from, to, now }: Record<"from" | "to" | "now", number>,
	needed: TimeUnit,
	by: string,
): TimeUnit {
	const isKept = (unit: TimeUnit) => from >= now - usageKeptMs[unit];
	const isExact = (unit: "minute" | "hour") =>
		to - from <= usageRangeMs[unit] && isKept(unit);
	if (isExact("minute")) return "minute";
	if (needed !== "minute" && isExact("hour")) return "hour";
	if (needed === "day" || isKept(needed)) return needed;
	const kept =
		needed === "hour"
			? days(usageKeptMs.hour)
			: `${usageKeptMs.minute / unitMs.hour} hours`;
	throw invalid(
		"by",
		`must not have ${by} if from is more than ${kept} ago: that is kept for ${kept}`,
	);
}

function days(ms: number): string {
	return `${ms / unitMs.day} days`;
}
