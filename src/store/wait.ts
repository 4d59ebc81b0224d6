// Waits until a long transaction of a command can begin, without blocking the requests of a running service.
import { setTimeout as sleep } from "node:timers/promises";
import { storeWroteNothing } from "../domain/errors.ts";
import { longLockMs } from "../limits.ts";

export interface WaitOptions {
	/** Called with the reason for each attempt that fails. */
	readonly onWait?: ((reason: string) => void) | undefined;
	/** Ends the wait. */
	readonly signal?: AbortSignal | undefined;
}

/** Calls `attempt` until it returns undefined instead of a reason to retry. */
export async function tryUntilBegun(
	attempt: () => Promise<Error | undefined>,
	pauseMs: number,
	{ onWait, signal }: WaitOptions,
): Promise<void> {
	const deadline = performance.now() + longLockMs;
	for (;;) {
		signal?.throwIfAborted();
		const problem = await attempt();
		if (problem === undefined) return;
		if (performance.now() > deadline) throw storeWroteNothing(problem);
		onWait?.(problem.message);
		await sleep(pauseMs, undefined, signal && { signal }).catch(() => {});
	}
}
