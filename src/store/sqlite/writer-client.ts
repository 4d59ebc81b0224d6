// Writes, carried out by a thread of their own: no reader waits while a commit is synced to the disk.
import { Worker } from "node:worker_threads";
import { within } from "../../async/timeout.ts";
import { storeUnavailable } from "../../contract/errors.ts";
import type { Writes } from "./writes.ts";

/** What the thread is asked, under a number that its answer has too. */
export type Request = {
	readonly [Name in keyof Writes]: {
		readonly number: bigint;
		readonly write: Name;
		readonly values: Parameters<Writes[Name]>;
	};
}[keyof Writes];

export type Answer<Result> =
	| { readonly number: bigint; readonly result: Result }
	| { readonly number: bigint; readonly failure: ThreadFailure };

export interface ThreadData {
	readonly path: string;
	/** The number of the last request that was given up, in memory of both threads: neither it nor one before it is begun any more. */
	readonly givenUp: BigInt64Array;
}

export interface ThreadFailure {
	readonly message: string;
	/** SQLite's own. */
	readonly code?: string | undefined;
	/** Whether it is the engine's trouble, and no mistake of ours. */
	readonly isTrouble: boolean;
}

/** The thread starts with the first write, and anew after it died. */
export function openWriter(path: string): Writes {
	/** Those without an answer, the oldest first; also those that were given up. */
	const waiting = new Map<bigint, { settle(answer: Answer<unknown>): void }>();
	const givenUp = new BigInt64Array(new SharedArrayBuffer(8));
	let thread: Worker | undefined;
	let lastNumber = 0n;

	function start(): Worker {
		const started = new Worker(new URL("writer-thread.ts", import.meta.url), {
			workerData: { path, givenUp } satisfies ThreadData,
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

	/** While the thread still does what was given up, it is asked nothing more. */
	function requireProgress(): void {
		const [oldest = lastNumber + 1n] = waiting.keys();
		if (oldest <= Atomics.load(givenUp, 0)) throw storeUnavailable();
	}

	async function ask<Name extends keyof Writes>(
		write: Name,
		...values: Parameters<Writes[Name]>
	): Promise<Awaited<ReturnType<Writes[Name]>>> {
		requireProgress();
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
		thread ??= start();
		thread.postMessage({ number, write, values });
		return within(answerDeadlineMs, promise, () => {
			Atomics.store(givenUp, 0, number);
			return storeUnavailable();
		});
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
