// The range of a request for usage: its rules, and which counts it is summed from.
import {
	usageHoursMs,
	usageMinuteRangeMs,
	usageMinutesMs,
} from "../../contract/operator/usage.ts";
import { invalid } from "../../contract/parameter.ts";
import { type UsageGroups, unitMs } from "../../contract/usage-groups.ts";
import { startOf, type UsageQuery } from "../../store/usage.ts";

interface Asked {
	readonly from: number | undefined;
	readonly to: number | undefined;
	readonly unit: UsageGroups["unit"];
}

export function toRange(
	asked: Asked,
	now: number,
): Pick<UsageQuery, "period" | "from" | "to"> {
	const to = asked.to ?? now;
	const from = asked.from ?? to - unitMs.day;
	if (from >= to) throw invalid("from", "must be before to");
	if (to - from > usageHoursMs)
		throw invalid("from", `must be at most ${toDays(usageHoursMs)} before to`);
	const period = toPeriod(from, to, asked.unit, now);
	return { period, from: startOf(from, period), to };
}

function toPeriod(
	from: number,
	to: number,
	unit: UsageGroups["unit"],
	now: number,
): UsageQuery["period"] {
	const hasMinutes = from >= now - usageMinutesMs;
	if (unit === "minute" && !hasMinutes)
		throw invalid(
			"by",
			`must not have minute if from is more than ${keptHours} hours ago: minutes are kept for ${keptHours} hours`,
		);
	const isShort = to - from <= usageMinuteRangeMs;
	return unit === "minute" || (hasMinutes && isShort) ? "minute" : "hour";
}

const keptHours = usageMinutesMs / unitMs.hour;

function toDays(ms: number): string {
	return `${ms / unitMs.day} days`;
}
