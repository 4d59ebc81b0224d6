// Limits how many requests one iteration of the event loop answers. While 1,024 sockets are readable, Bun polls for more, up to
// 48 times before the iteration ends. If all of those requests were answered at once, timers and the writer thread would wait for
// seconds.
import type { Awaitable } from "../async/awaitable.ts";
import { maxRequestsPerIteration } from "../limits.ts";

/** Requests above the limit are answered when the iteration ends. */
export function limitPerIteration<Request, Reply>(
	answer: (request: Request) => Awaitable<Reply>,
): (request: Request) => Awaitable<Reply> {
	let answered = 0;
	let end: Promise<void> | undefined;

	function endOfIteration(): Promise<void> {
		end ??= new Promise((resolve) => {
			setImmediate(() => {
				answered = 0;
				end = undefined;
				resolve();
			});
		});
		return end;
	}

	return (request) => {
		const ended = endOfIteration();
		return ++answered <= maxRequestsPerIteration
			? answer(request)
			: ended.then(() => answer(request));
	};
}
