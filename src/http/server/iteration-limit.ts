// Limits how many requests one event loop iteration answers. While 1,024 sockets are readable, Bun polls up to 48 times per iteration, so
// timers and commits wait.
import type { Awaitable } from "../../async/awaitable.ts";
import { maxRequestsPerIteration } from "../../limits.ts";

/** Requests above the limit are answered in the next iterations, in the order in which they came. */
export function limitPerIteration<Request, Source, Reply>(
	answer: (request: Request, source: Source) => Awaitable<Reply>,
	max = maxRequestsPerIteration,
): (request: Request, source: Source) => Awaitable<Reply> {
	/** Requests since the last `startIteration`. Scheduling that takes time, so it happens only above half the limit. */
	let answered = 0;
	let waiting: (() => void)[] = [];
	let isScheduled = false;

	function schedule(): void {
		if (!isScheduled) setImmediate(startIteration);
		isScheduled = true;
	}

	function startIteration(): void {
		isScheduled = false;
		const next = waiting.slice(0, max);
		waiting = waiting.slice(max);
		answered = next.length;
		if (waiting.length > 0) schedule();
		for (const resume of next) resume();
	}

	return (request, source) => {
		answered++;
		if (answered > max / 2) schedule();
		if (answered <= max && waiting.length === 0) return answer(request, source);
		return new Promise((resolve) => {
			waiting.push(() => resolve(answer(request, source)));
		});
	};
}
