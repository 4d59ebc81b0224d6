// Timeouts, turns, and a sleep of the whole thread.
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "./awaitable.ts";

/** Settles like `work`, or rejects after `ms` with the error that `toError` returns or throws. */
export function withTimeout<Result>(
	ms: number,
	work: Promise<Result>,
	toError: () => Error,
): Promise<Result> {
	const { promise, resolve } = Promise.withResolvers<Result>();
	const timer = setTimeout(() => resolve(Promise.try(rejectWith, toError)), ms);
	const settle = () => {
		clearTimeout(timer);
		resolve(work);
	};
	work.then(settle, settle);
	return promise;
}

/** `withTimeout` for many promises with the same timeout. They share a timer, because a timer for each costs time. */
export function createTimeout(
	ms: number,
	toError: () => Error,
): <Result>(work: Promise<Result>) => Promise<Result> {
	/** The deadlines, by `resolve`, in the order of their starts. */
	const waiting = new Map<(error: Promise<never>) => void, number>();
	let timer: Timer | undefined;

	function start(inMs: number): void {
		timer = setTimeout(refuseLate, inMs);
		timer.unref();
	}

	function refuseLate(): void {
		timer = undefined;
		const now = performance.now();
		for (const [resolve, endsAt] of waiting) {
			if (endsAt > now) {
				start(endsAt - now);
				return;
			}
			waiting.delete(resolve);
			resolve(Promise.try(rejectWith, toError));
		}
	}

	return (work) =>
		new Promise((resolve, reject) => {
			waiting.set(resolve, performance.now() + ms);
			if (timer === undefined) start(ms);
			work.then(
				(result) => {
					waiting.delete(resolve);
					resolve(result);
				},
				(error) => {
					waiting.delete(resolve);
					reject(error);
				},
			);
		});
}

function rejectWith(toError: () => Error): never {
	throw toError();
}

/** Runs one task at a time, in call order, with a pause after each for other requests. */
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

/** Blocks the whole thread. */
export function sleepThread(ms: number): void {
	Atomics.wait(neverNotified, 0, 0, ms);
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
