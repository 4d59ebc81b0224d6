// The range of a request for usage: its rules, and how exact it is.
import {
	usageDaysMs,
	usageHourRangeMs,
	usageHoursMs,
	usageMinuteRangeMs,
	usageMinutesMs,
} from "../../contract/operator/usage.ts";
import { invalid } from "../../contract/parameter.ts";
import {
	type TimeUnit,
	type UsageGroups,
	unitMs,
} from "../../contract/usage-groups.ts";
import { startOf, type UsageQuery } from "../../store/usage.ts";

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
