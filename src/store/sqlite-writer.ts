// Writes, carried out by a thread of their own: no reader waits while a commit is synced to the disk.
import { Worker } from "node:worker_threads";
import { within } from "../deadline.ts";
import { storeUnavailable } from "../errors.ts";
import type { Writes } from "./sqlite-writes.ts";

/** What the thread is asked, under a number that its answer has too. */
export type Request = {
	readonly [Name in keyof Writes]: {
		readonly number: number;
		readonly write: Name;
		readonly values: Parameters<Writes[Name]>;
		/** A time of `clock`, after which it is not begun. */
		readonly deadline: number;
	};
}[keyof Writes];

export type Answer<Result> =
	| { readonly number: number; readonly result: Result }
	| { readonly number: number; readonly failure: ThreadFailure };

export interface ThreadFailure {
	readonly message: string;
	/** SQLite's own. */
	readonly code?: string | undefined;
	/** Whether it is the engine's trouble, and no mistake of ours. */
	readonly isTrouble: boolean;
}

/** The same time in both threads, which nobody can set back. */
export function clock(): number {
	return performance.timeOrigin + performance.now();
}

/** The thread starts with the first write, and anew after it died. */
export function openWriter(path: string): Writes {
	const waiting = new Map<number, { settle(answer: Answer<unknown>): void }>();
	let thread: Worker | undefined;
	let lastNumber = 0;

	function start(): Worker {
		const started = new Worker(new URL("sqlite-thread.ts", import.meta.url), {
			workerData: path,
		});
		let message = "The writing thread has ended.";
		started.on("message", (answer: Answer<unknown>) =>
			waiting.get(answer.number)?.settle(answer),
		);
		started.on("error", (error: Error) => {
			message = error.message;
		});
		started.on("exit", () => {
			thread = undefined;
			for (const [number, { settle }] of waiting)
				settle({ number, failure: { message, isTrouble: true } });
		});
		return started;
	}

	function ask<Name extends keyof Writes>(
		write: Name,
		...values: Parameters<Writes[Name]>
	): Promise<Awaited<ReturnType<Writes[Name]>>> {
		const number = ++lastNumber;
		const { promise, resolve, reject } =
			Promise.withResolvers<Awaited<ReturnType<Writes[Name]>>>();
		waiting.set(number, {
			settle(answer: Answer<Awaited<ReturnType<Writes[Name]>>>) {
				waiting.delete(number);
				if ("result" in answer) resolve(answer.result);
				else reject(toError(answer.failure));
			},
		});
		const deadline = clock() + answerDeadlineMs;
		thread ??= start();
		thread.postMessage({ number, write, values, deadline });
		return within(answerDeadlineMs, promise, storeUnavailable);
	}

	return {
		addPets: (additions) => ask("addPets", additions),
		forgetIdempotencyKeys: (before) => ask("forgetIdempotencyKeys", before),
		recordKeyUse: (id, at) => ask("recordKeyUse", id, at),
		async close() {
			// A thread that has ended has closed its connection too.
			if (thread !== undefined) await ask("close").catch(() => {});
		},
	};
}

/** With the second that a caller may have waited before, that stays below the promised three. */
const answerDeadlineMs = 1_900;

function toError({ message, code, isTrouble }: ThreadFailure): Error {
	const error = Object.assign(new Error(message), { code });
	return isTrouble ? storeUnavailable(error) : error;
}
