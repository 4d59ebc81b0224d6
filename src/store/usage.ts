// How often each operation was called: by which key, with which status, and how fast.
import {
	type TimeUnit,
	type UsageGroups,
	unitMs,
} from "../contract/operator/usage.ts";

/** Rows that one read sums at most: far more than hundreds of keys have in 400 days. */
export const maxUsageCounts = 300_000;

export interface Usage {
	/** Adds the counts to the rows of all levels: all of them or none. */
	readonly add: (counts: readonly UsageCount[]) => Promise<void>;
	/** Sums of the requests in a range, one for each combination of the dimensions in `by`, in no order. */
	readonly read: (query: UsageQuery) => Promise<readonly UsageSum[]>;
}

export interface UsageCount extends Counted {
	/** When the requests were answered. */
	readonly at: number;
	/** The id of a stored key or the name of another; "" if the caller had no valid key. */
	readonly key: string;
	readonly operation: string;
	readonly status: number;
}

interface Counted {
	readonly requests: number;
	/** The requests by duration: one number for each of `durationBounds`, and one for longer requests. */
	readonly durations: readonly number[];
}

export interface UsageQuery extends UsageGroups {
	/** The precision of the range. Finer rows are kept for a shorter time. Days have no rows by key and status together. */
	readonly period: TimeUnit;
	/** The start of the first period in the range, and of the first period after it. */
	readonly from: number;
	readonly to: number;
	/** Of this operation alone; of all if undefined. */
	readonly operation?: string | undefined;
	/** More sums are refused. */
	readonly limit: number;
}

/** Members that `by` and `unit` do not ask for are empty or 0. */
export interface UsageSum extends Counted {
	/** The start of the time unit. */
	readonly at: number;
	readonly operation: string;
	readonly key: string;
	readonly status: number;
	/** The requests whose status is an error. */
	readonly errors: number;
	/** The starts of the first and last period with a request, if the query is for one operation. */
	readonly firstAt: number;
	readonly lastAt: number;
}

/** In seconds. Table columns and the buckets of /metrics depend on these. */
export const durationBounds = [
	0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
	10,
] as const;

export const durationCount = durationBounds.length + 1;

export function startOf(at: number, unit: TimeUnit): number {
	return at - (at % unitMs[unit]);
}
