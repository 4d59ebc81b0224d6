// Does one piece of work at a time.
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "./awaitable.ts";

/** In the order in which the pieces were given, with a pause after each for other requests. */
export function createTurns(
	pauseMs: number,
): <Result>(work: () => Awaitable<Result>) => Promise<Result> {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const turn = last.then(work);
		const pause = () => sleep(pauseMs);
		last = turn.then(pause, pause);
		return turn;
	};
}
