// Estimates a quantile of durations from their buckets.
import { durationBounds } from "../store/usage.ts";

/** Undefined without durations. Assumes that durations spread evenly within a bucket, as Prometheus does. At most the last bound. */
export function toQuantileMs(
	durations: readonly number[],
	quantile: number,
): number | undefined {
	const total = durations.reduce((sum, count) => sum + count, 0);
	if (total === 0) return undefined;
	let rank = quantile * total;
	for (const [index, bound] of durationBounds.entries()) {
		const count = durations[index] ?? 0;
		if (rank <= count && count > 0) {
			const lower = durationBounds[index - 1] ?? 0;
			return toRoundedMs(lower + (bound - lower) * (rank / count));
		}
		rank -= count;
	}
	return toRoundedMs(durationBounds.at(-1) ?? 0);
}

/** To the microsecond. */
function toRoundedMs(seconds: number): number {
	return Math.round(seconds * 1e6) / 1e3;
}
