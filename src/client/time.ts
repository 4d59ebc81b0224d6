// Waits that the caller's signal can end: for the reply of an attempt, and before the next attempt.

/**
 * Settles as the work does. After the time it settles as `onTime` does, and when the signal aborts it rejects with the reason of
 * the signal. Both also abort the signal that the work is given, and hold if the work ignores that.
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
	return within(
		ms,
		signal,
		() => {},
		() => new Promise(() => {}),
	);
}

/** A timer with a longer time would end immediately. */
const maxTimerMs = 2 ** 31 - 1;
