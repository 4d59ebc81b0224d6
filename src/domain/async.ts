// Values that may need waiting for: timeouts, turns, and a sleep of the whole thread.

export type Awaitable<Value> = Value | Promise<Value>;

interface Waiting {
	readonly endsAt: number;
	readonly reject: (error: Error) => void;
}

/** Returns a `withTimeout` for one time. Its calls share a timer: one for each request costs a tenth of an add. */
export function shareTimeout(
	ms: number,
	toError: () => Error,
): <Result>(work: Promise<Result>) => Promise<Result> {
	/** In the order of their ends. */
	const waiting = new Set<Waiting>();
	let isTimed = false;

	function look(inMs: number): void {
		isTimed = true;
		setTimeout(rejectLate, inMs).unref();
	}

	function rejectLate(): void {
		isTimed = false;
		for (const one of waiting) {
			const leftMs = one.endsAt - performance.now();
			if (leftMs > 0) {
				look(leftMs);
				return;
			}
			waiting.delete(one);
			one.reject(toError());
		}
	}

	return (work) =>
		new Promise((resolve, reject) => {
			const one = { endsAt: performance.now() + ms, reject };
			waiting.add(one);
			if (!isTimed) look(ms);
			work.then(
				(result) => {
					waiting.delete(one);
					resolve(result);
				},
				(error) => {
					waiting.delete(one);
					reject(error);
				},
			);
		});
}

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

/** How long all long work of the process runs before other requests are answered. */
export const turnMs = 10;
let turnEnd = 0;

/** For long work on the event loop, between steps that take less than a millisecond: waits for the next turn when this one is over. */
export function pause(): Promise<void> | undefined {
	return performance.now() < turnEnd ? undefined : nextTurn();
}

/** Lets other requests run. Each iteration of the event loop goes on with one work only: several would be one long turn. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => {
		if (waiting.push(resolve) === 1) setImmediate(goOn);
	});
}

const waiting: (() => void)[] = [];

function goOn(): void {
	turnEnd = performance.now() + turnMs;
	waiting.shift()?.();
	if (waiting.length > 0) setImmediate(goOn);
}

/** Runs one task at a time, in call order, and lets other requests run after each. */
export function createTurns(): <Result>(
	work: () => Awaitable<Result>,
) => Promise<Result> {
	let last: Promise<unknown> = Promise.resolve();
	return (work) => {
		const turn = last.then(work);
		last = turn.then(nextTurn, nextTurn);
		return turn;
	};
}

/** Blocks the whole thread. */
export function sleepThread(ms: number): void {
	Atomics.wait(neverNotified, 0, 0, ms);
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
