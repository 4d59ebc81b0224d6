// The periods of the traffic view, and the parts of equal length that a period has.
import type { UsageRow } from "../api/usage.ts";

export type PeriodName = "hour" | "day" | "month";

export interface Period {
	readonly unit: "minute" | "hour" | "day";
	readonly parts: number;
	readonly partMs: number;
	readonly partName: string;
}

export const periods: Readonly<Record<PeriodName, Period>> = {
	hour: { unit: "minute", parts: 60, partMs: 60_000, partName: "Minute" },
	day: { unit: "hour", parts: 24, partMs: 3_600_000, partName: "Hour" },
	month: { unit: "day", parts: 30, partMs: 86_400_000, partName: "Day (UTC)" },
};

/** The starts of its parts, in UTC. The last part contains `now`. */
export function toStarts({ parts, partMs }: Period, now: number): number[] {
	const first = (Math.floor(now / partMs) - parts + 1) * partMs;
	return Array.from({ length: parts }, (_, index) => first + index * partMs);
}

/** The rows of each part. */
export function toParts(
	rows: readonly UsageRow[],
	period: Period,
	now: number,
) {
	const byStart = Map.groupBy(rows, ({ start }) => start);
	return toStarts(period, now).map((start) => ({
		start,
		/** The time that has passed of it, for the rate of the last part. */
		seconds: Math.max(1, Math.min(period.partMs, now - start) / 1000),
		rows: byStart.get(start) ?? [],
	}));
}

interface Counts {
	readonly requests: number;
	readonly errors: number;
}

export function addUp(rows: readonly Counts[]): Counts {
	return {
		requests: sum(rows.map(({ requests }) => requests)),
		errors: sum(rows.map(({ errors }) => errors)),
	};
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	timeZone: "UTC",
});

/** Minutes and hours are in the time zone of the user, days in UTC. */
export function formatStart(start: number, { unit }: Period): string {
	return unit === "day" ? day.format(start) : clock.format(start);
}
