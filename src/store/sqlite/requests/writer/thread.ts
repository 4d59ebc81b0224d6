// A thread that writes, as seen from the event loop: requests go there as messages, and replies come back.
import { once } from "node:events";
import { withTimeout } from "../../../../async/waiting.ts";
import {
	type Failure,
	idsExhausted,
	storeUnavailable,
	storeWroteNothing,
} from "../../../../domain/errors.ts";
import { sqliteWriterMs } from "../../../../limits.ts";
import { locate } from "../../../../program.ts";
import type { WriteName, Writer, WriteValues, Written } from "./writes.ts";

/** The path in the project. An executable has this module as a file of its own (build/executable/bundle.ts). */
export const threadModule = "src/store/sqlite/requests/writer/thread-main.ts";

/** A call of one of the writes. Numbers rise; the reply has the number of its request. */
export interface WriteRequest<Name extends WriteName = WriteName> {
	readonly number: bigint;
	readonly write: Name;
	readonly values: WriteValues<Name>;
}

export type WriteReply<Result> =
	| { readonly number: bigint; readonly result: Result }
	| { readonly number: bigint; readonly error: ThreadError };

/** The parts of an error that are sent between threads. */
export interface ThreadError {
	readonly message: string;
	/** SQLite's error code. */
	readonly code?: string | undefined;
	/** Whether the engine has failed, and not our code. */
	readonly isUnavailable: boolean;
	readonly wroteNothing: boolean;
	readonly isExhausted: boolean;
}

export interface ThreadData {
	readonly path: string;
	/** The number of the last request that the thread has begun, in memory that both threads share. Only the thread writes it. */
	readonly begun: BigInt64Array;
	/** The number of the last request that has timed out, also shared. Having written `begun`, the thread does no request up to it. */
	readonly timedOut: BigInt64Array;
}

export interface WriterThread extends Writer {
	/** Resolves when the thread has ended, for whatever reason. */
	readonly ended: Promise<void>;
}

/** Resolves when the thread has opened its connection. */
export async function openWriterThread(path: string): Promise<WriterThread> {
	// Loaded only now, since most services never start the thread.
	const { Worker } = await import("node:worker_threads");
	const begun = new BigInt64Array(new SharedArrayBuffer(8));
	const timedOut = new BigInt64Array(new SharedArrayBuffer(8));
	const thread = new Worker(locate(threadModule), {
		workerData: { path, begun, timedOut } satisfies ThreadData,
	});
	/** Requests without a reply, the oldest first. Those that have timed out are among them. */
	const pending = new Map<
		bigint,
		{ settle(reply: WriteReply<unknown>): void }
	>();
	let lastNumber = 0n;
	let message = "The writer thread has ended.";

	thread.on("error", (error: Error) => {
		message = error.message;
	});
	const ended = once(thread, "exit").then(() => {
		for (const [number, { settle }] of pending)
			settle({ number, error: { ...failed, message } });
	});
	await Promise.race([
		once(thread, "message"),
		ended.then(() => {
			throw new Error(message);
		}),
	]);
	thread.on("message", (reply: WriteReply<unknown>) =>
		pending.get(reply.number)?.settle(reply),
	);

	/** While the thread is still busy with a request that has timed out, it gets no further ones. */
	function requireProgress(): void {
		const [oldest = lastNumber + 1n] = pending.keys();
		if (oldest <= Atomics.load(timedOut, 0)) throw storeWroteNothing();
	}

	/** Each thread writes its number before it reads that of the other. So a request that is not begun here never will be. */
	function timeOut(number: bigint): Failure {
		Atomics.store(timedOut, 0, number);
		return Atomics.load(begun, 0) < number
			? storeWroteNothing()
			: storeUnavailable();
	}

	async function call<Name extends WriteName>(
		write: Name,
		...values: WriteValues<Name>
	): Promise<Written<Name>> {
		requireProgress();
		const number = ++lastNumber;
		const { promise, resolve, reject } = Promise.withResolvers<Written<Name>>();
		pending.set(number, {
			settle(reply: WriteReply<Written<Name>>) {
				pending.delete(number);
				if ("result" in reply) resolve(reply.result);
				else reject(toError(reply.error));
			},
		});
		thread.postMessage({ number, write, values } satisfies WriteRequest<Name>);
		return withTimeout(sqliteWriterMs, promise, () => timeOut(number));
	}

	return {
		ended,
		write: call,
		async close() {
			thread.postMessage("close");
			await withTimeout(sqliteWriterMs, ended, storeUnavailable).catch(
				() => {},
			);
		},
	};
}

/** A thread that has ended may have committed what it had begun. */
const failed = {
	isUnavailable: true,
	wroteNothing: false,
	isExhausted: false,
};

function toError(thrown: ThreadError): Error {
	const { message, code, isUnavailable, wroteNothing } = thrown;
	if (thrown.isExhausted) return idsExhausted;
	const error = Object.assign(new Error(message), { code });
	if (!isUnavailable) return error;
	return wroteNothing ? storeWroteNothing(error) : storeUnavailable(error);
}
