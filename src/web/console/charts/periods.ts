// The periods of the traffic view, the parts of equal length that a period has, and sums of their rows.

export interface Period {
	readonly title: string;
	readonly unit: "minute" | "hour" | "day";
	readonly parts: number;
	readonly partMs: number;
	readonly partName: string;
}

const minutes = { unit: "minute", partMs: 60_000, partName: "Minute" } as const;
const hours = { unit: "hour", partMs: 3_600_000, partName: "Hour" } as const;
const days = {
	unit: "day",
	partMs: 86_400_000,
	partName: "Day (UTC)",
} as const;

export const periods = {
	hour: { title: "Last hour", parts: 60, ...minutes },
	day: { title: "Last day", parts: 24, ...hours },
	month: { title: "Last 30 days", parts: 30, ...days },
};

/** The starts of its parts, in UTC. The last part contains `now`. */
export function toStarts({ parts, partMs }: Period, now: number): number[] {
	const first = (Math.floor(now / partMs) - parts + 1) * partMs;
	return Array.from({ length: parts }, (_, index) => first + index * partMs);
}

/** The rows of each part. */
export function toParts<Row extends { readonly start: number | undefined }>(
	rows: readonly Row[],
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

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const date = new Intl.DateTimeFormat("en-GB", {
	day: "numeric",
	month: "short",
	timeZone: "UTC",
});

/** Minutes and hours are in the time zone of the user, days in UTC. */
export function formatStart(start: number, { unit }: Period): string {
	return (unit === "day" ? date : clock).format(start);
}

export function toLabels(period: Period, now: number): readonly string[] {
	return toStarts(period, now).map((start) => formatStart(start, period));
}

export function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** The rows by operation, key or status, the group with the most requests first. */
export function rank<
	Row extends { readonly requests: number; readonly errors: number },
	Name,
>(all: readonly Row[], toName: (row: Row) => Name) {
	return [...Map.groupBy(all, toName)]
		.map(([name, rows]) => ({
			name,
			rows,
			requests: sum(rows.map(({ requests }) => requests)),
			errors: sum(rows.map(({ errors }) => errors)),
		}))
		.toSorted((one, other) => other.requests - one.requests);
}
