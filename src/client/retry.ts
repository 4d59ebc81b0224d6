// Decides whether and when to retry a failed attempt. The caller's signal ends every wait.
import type { Reply } from "./reply.ts";

/**
 * Milliseconds before the next attempt; undefined if the failure is final. `reply` is undefined after a network failure. `failures` counts
 * the failed attempts before this one.
 */
export function toDelay(
	reply: Reply | undefined,
	failures: number,
): number | undefined {
	if (reply !== undefined && !isTransient(reply)) return undefined;
	const asked = reply === undefined ? 0 : toRetryAfter(reply.headers);
	if (asked > maxRetryAfterMs) return undefined;
	// Full jitter: clients that failed together must not return together, even after a Retry-After.
	return asked + Math.random() * Math.min(firstMs * 2 ** failures, maxMs);
}

/** Whether a retry can succeed: a timeout, a rate limit, or a failure of the store or of a gateway. */
export function isTransient({ status }: Reply): boolean {
	return [408, 429, 500, 502, 503, 504].includes(status);
}

/**
 * Settles like `work`; after `ms`, like `onTime`. When the signal aborts, rejects with its reason. Both also abort the signal of `work`,
 * and do not wait for it.
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

/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const forever = () => new Promise<void>(() => {});
	return within(ms, signal, () => {}, forever);
}

const maxRetryAfterMs = 30_000;
const firstMs = 200;
const maxMs = 10_000;
/** A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** The wait of `Retry-After` in milliseconds, from seconds or a date; 0 without a valid one. */
function toRetryAfter(headers: Headers): number {
	const value = headers.get("Retry-After") ?? "";
	if (/^\d+$/.test(value)) return Number(value) * 1000;
	// Compares a date with the store's clock, if the reply has a Date.
	const now = Date.parse(headers.get("Date") ?? "") || Date.now();
	return Math.max(Date.parse(value) - now || 0, 0);
}
