// How a long transaction of a command waits for others, so that it can begin. Requests of a running service must not wait with it.
import { setTimeout as sleep } from "node:timers/promises";
import { storeWroteNothing } from "../domain/errors.ts";
import { longLockMs } from "../limits.ts";

export interface WaitOptions {
	/** Called for each try that fails, with the reason. */
	readonly onWait?: ((reason: string) => void) | undefined;
	/** Ends the wait. */
	readonly signal?: AbortSignal | undefined;
}

/** Calls `attempt` until it returns undefined. It returns the reason if it must be tried again. */
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
