// Values that may need waiting for: timeouts, turns, and a sleep of the whole thread.

export type Awaitable<Value> = Value | Promise<Value>;

/** Settles like `work`, or rejects after `ms` with the error that `toError` returns or throws. */
export function withTimeout<Result>(
	ms: number,
	work: Promise<Result>,
	toError: () => Error,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const fail = () => Promise.try(toError).then(reject, reject);
		const timer = setTimeout(fail, ms);
		work.then(
			(result) => {
				clearTimeout(timer);
				resolve(result);
			},
			(error) => {
				clearTimeout(timer);
				reject(error);
			},
		);
	});
}

/** Runs one task at a time, in call order, with a pause after each for other requests. */
export function createTurns(
	pauseMs: number,
): <Result>(work: () => Awaitable<Result>) => Promise<Result> {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const turn = last.then(work);
		const pause = () => Bun.sleep(pauseMs);
		last = turn.then(pause, pause);
		return turn;
	};
}

/** Lets other requests run. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/** Blocks the whole thread. */
export function sleepThread(ms: number): void {
	Atomics.wait(neverNotified, 0, 0, ms);
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
