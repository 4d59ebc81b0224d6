// Whether a failed attempt is repeated, and the waits that the caller's signal can end: for a reply, and before the next attempt.
import type { Reply } from "./reply.ts";

/**
 * The milliseconds until the next attempt; undefined if no other attempt follows. Without a reply the attempt failed on the network. `failures` is the
 * number of failed attempts before this one.
 */
export function toDelay(
	reply: Reply | undefined,
	failures: number,
): number | undefined {
	if (reply !== undefined && !isTransient(reply)) return undefined;
	const asked = reply === undefined ? 0 : toRetryAfter(reply.headers);
	if (asked > maxRetryAfterMs) return undefined;
	// Full jitter: clients that failed at the same time do not come back at the same time, even after a Retry-After.
	return asked + Math.random() * Math.min(firstMs * 2 ** failures, maxMs);
}

/** Whether another attempt may get another reply: the client was too slow, or the store or a gateway in front of it may answer later. */
export function isTransient({ status }: Reply): boolean {
	return [408, 429, 500, 502, 503, 504].includes(status);
}

/**
 * Settles as the work does. After the time it settles as `onTime` does, and when the signal aborts it rejects with the reason of
 * the signal. Both abort the signal of the work too, and hold if the work ignores that.
 */
export async function within<Value>(
	ms: number,
	signal: AbortSignal | undefined,
	onTime: () => Value,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
	signal?.throwIfAborted();
	const controller = new AbortController();
	let clear = () => {};
	const ended = new Promise<void>((resolve, reject) => {
		const onAbort = () => reject(signal?.reason);
		const timer = setTimeout(resolve, Math.min(ms, maxTimerMs));
		signal?.addEventListener("abort", onAbort);
		clear = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
		};
	});
	try {
		return await Promise.race([ended.then(onTime), work(controller.signal)]);
	} finally {
		clear();
		controller.abort();
	}
}

/** Resolves after the time. Rejects with the reason of the signal when that aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const forever = () => new Promise<void>(() => {});
	return within(ms, signal, () => {}, forever);
}

const maxRetryAfterMs = 30_000;
const firstMs = 200;
const maxMs = 10_000;
/** A timer with a longer time would end immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The milliseconds that a `Retry-After` asks for, as seconds or as a date; 0 without a valid one. */
function toRetryAfter(headers: Headers): number {
	const value = headers.get("Retry-After") ?? "";
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// A date is compared with the clock of the store, where the reply has it.
	const now = Date.parse(headers.get("Date") ?? "") || Date.now();
	return Math.max(Date.parse(value) - now || 0, 0);
}
