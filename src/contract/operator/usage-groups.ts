// What usage is counted by, how long it is kept, and why a read of it is refused. The store needs these without the operation.
import type { Failure } from "../../domain/errors.ts";
import { invalid } from "../parameter.ts";

export const dimensions = ["operation", "key", "status"] as const;
export type Dimension = (typeof dimensions)[number];

export const timeUnits = ["minute", "hour", "day"] as const;
export type TimeUnit = (typeof timeUnits)[number];

export const unitMs: Readonly<Record<TimeUnit, number>> = {
	minute: 60_000,
	hour: 3_600_000,
	day: 86_400_000,
};

export interface UsageGroups {
	readonly by: readonly Dimension[];
	/** The time that each row is of; the whole range if undefined. */
	readonly unit: TimeUnit | undefined;
}

const { hour: hourMs, day: dayMs } = unitMs;

/** How long usage is kept: by the minute, by the hour, and by the day. */
export const usageMinutesMs = 48 * hourMs;
export const usageHoursMs = 31 * dayMs;
export const usageDaysMs = 400 * dayMs;
/** Longer ranges are summed from hours, and from days, which are fewer. */
export const usageMinuteRangeMs = 6 * hourMs;
export const usageHourRangeMs = 48 * hourMs;
/** Rows of a reply: three months of hours for four operations. */
export const maxUsageRows = 10_000;

export function tooManyRows(max: number): Failure {
	return invalid(
		"by",
		`must give at most ${max} rows in this range; name less in by, or shorten the range`,
	);
}

export function tooManyCounts(): Failure {
	return invalid(
		"from",
		"must be later, or by must name less: this range has too many counts",
	);
}
