// Who calls one operation: how often, and when first and last.
import type { UsageRow } from "../api/usage.ts";
import { periods, sum } from "../charts/periods.ts";

export interface Caller {
	/** Undefined without a valid key. */
	readonly key: string | undefined;
	readonly requests: number;
	/** On average since the first day, as `petstore usage --deprecated` has it. */
	readonly requestsPerDay: number;
	/** The starts of the first and of the last day with a call, in UTC. */
	readonly first: number;
	readonly last: number;
}

/** Takes rows by operation, key and day. Those who call most come first. */
export function toCallers(
	rows: readonly UsageRow[],
	operation: string,
	now: number,
): readonly Caller[] {
	const own = rows.filter((row) => row.operation === operation);
	return [...Map.groupBy(own, ({ key }) => key)]
		.map(([key, days]) => toCaller(key, days, now))
		.toSorted((a, b) => b.requests - a.requests);
}

function toCaller(
	key: string | undefined,
	days: readonly UsageRow[],
	now: number,
): Caller {
	const starts = days.map(({ start = now }) => start);
	const first = Math.min(...starts);
	const requests = sum(days.map((day) => day.requests));
	const length = Math.max(1, (now - first) / periods.month.partMs);
	return {
		key,
		requests,
		requestsPerDay: requests / length,
		first,
		last: Math.max(...starts),
	};
}
