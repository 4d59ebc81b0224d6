// The value of `--expires`: a duration like `90d`, or a date.
import { toDuration } from "./duration.ts";

/** In milliseconds since 1970; undefined if the text is neither. */
export function toExpiry(text: string, now: number): number | undefined {
	const duration = toDuration(text);
	if (duration !== undefined) return now + duration;
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
	const midnight = new Date(`${text}T00:00:00Z`);
	// A day that the month does not have gives an invalid date, or one in the next month.
	return Number.isNaN(midnight.getTime()) ||
		!midnight.toISOString().startsWith(text)
		? undefined
		: midnight.getTime();
}
