// Decides whether a failed attempt is repeated, and after how many milliseconds.
import type { PetstoreError } from "./error.ts";

/** Undefined if the attempt is not repeated. `failures` is the number of failed attempts before this one. */
export function toDelay(
	{ status }: PetstoreError,
	headers: Headers | undefined,
	failures: number,
): number | undefined {
	if (!isTransient(status)) return undefined;
	const asked = headers === undefined ? 0 : toRetryAfter(headers);
	if (asked > maxRetryAfterMs) return undefined;
	// Full jitter: clients that failed at the same time do not come back at the same time, also after a Retry-After.
	return asked + Math.random() * Math.min(firstMs * 2 ** failures, maxMs);
}

/** Whether another attempt may get another reply. There is no status if there was no reply. */
export function isTransient(status: number | undefined): boolean {
	return status === undefined || transient.includes(status);
}

/** The client was too slow, or the store or a gateway in front of it may answer later. */
const transient = [408, 429, 500, 502, 503, 504];
const maxRetryAfterMs = 30_000;
const firstMs = 200;
const maxMs = 10_000;

/** The milliseconds that a `Retry-After` asks for, as seconds or as a date; 0 without a valid one. */
function toRetryAfter(headers: Headers): number {
	const value = headers.get("Retry-After") ?? "";
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// A date is compared with the clock of the store, where the reply has it.
	const now = Date.parse(headers.get("Date") ?? "") || Date.now();
	return Math.max(Date.parse(value) - now || 0, 0);
}
