// What usage can be grouped by: dimensions of a request, and units of time.

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
