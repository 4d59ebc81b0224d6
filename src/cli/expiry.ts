// The value of `--expires`: a duration like `90d`, or a date.
import { readTime } from "../contract/time.ts";
import { toDuration } from "./duration.ts";

/** In milliseconds since 1970; undefined if the text is neither. */
export function toExpiry(text: string, now: number): number | undefined {
	const duration = toDuration(text);
	if (duration !== undefined) return now + duration;
	return readDate(text);
}

/** 00:00 UTC of a date like `2027-01-31`; undefined if the text is none. */
export function readDate(text: string): number | undefined {
	return /^\d{4}-\d\d-\d\d$/.test(text)
		? readTime(`${text}T00:00:00Z`)
		: undefined;
}
