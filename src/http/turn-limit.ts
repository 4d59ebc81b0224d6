// How many requests one turn of the event loop answers. While 1,024 sockets have something to say, Bun asks the system for more up
// to 48 times before its turn ends; with requests that are answered at once, timers and the writing thread wait for seconds.
import type { Awaitable } from "../async/awaitable.ts";

/** Those beyond the measure of a turn are answered at its end, so that there is one. */
export function inTurns<Request, Reply>(
	answer: (request: Request) => Awaitable<Reply>,
): (request: Request) => Awaitable<Reply> {
	let answered = 0;
	let end: Promise<void> | undefined;

	function endOfTurn(): Promise<void> {
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
		const turnEnds = endOfTurn();
		return ++answered <= maxAnswered
			? answer(request)
			: turnEnds.then(() => answer(request));
	};
}

/** A little less than the 1,024 that Bun takes from the system at once. */
const maxAnswered = 1_000;
