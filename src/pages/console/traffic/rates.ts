// The current rates of requests and errors, for the headline and for the chart beside it.
import type { Part, Period } from "../charts/periods.ts";
import { sum } from "../charts/periods.ts";

export interface Rates {
	/** What they are a mean of. */
	readonly name: string;
	readonly requests: number;
	readonly errors: number;
}

/** Over the last minute where minutes are shown, else over the whole period. */
export function toRates(
	parts: readonly Part[],
	{ unit, partMs }: Period,
): Rates {
	const isLive = unit === "minute";
	const weighted = isLive ? toLastMinute(parts, partMs / 1000) : parts;
	const seconds = sum(weighted.map((part) => part.seconds));
	return {
		name: isLive ? "mean of the last minute" : "mean of the period",
		requests: sum(weighted.map(({ requests }) => requests)) / seconds,
		errors: sum(weighted.map(({ errors }) => errors)) / seconds,
	};
}

/** The current minute, and as much of the one before as is missing in it: it may have just begun. */
function toLastMinute(
	parts: readonly Part[],
	minute: number,
): readonly Pick<Part, "seconds" | "requests" | "errors">[] {
	const current = parts.slice(-1);
	const missing = minute - sum(current.map(({ seconds }) => seconds));
	const before = parts.slice(-2, -1).map(({ requests, errors }) => ({
		seconds: missing,
		requests: (requests * missing) / minute,
		errors: (errors * missing) / minute,
	}));
	return [...before, ...current];
}
