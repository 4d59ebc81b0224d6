// Starts the writer thread, sends it writes as messages, and receives its replies.
import { withTimeout } from "../../../../async/waiting.ts";
import {
	idsExhausted,
	storeUnavailable,
	storeWroteNothing,
} from "../../../../domain/errors.ts";
import { sqliteWriterMs } from "../../../../limits.ts";
import { locateModule } from "../../../../program.ts";
import type { WriteName, Writer, WriteValues, Written } from "./writer.ts";

/** The path in the project. The bundle and an executable have this module as an entry (build/program.ts, build/executable/bundle.ts). */
export const threadModule = "src/store/sqlite/requests/writer/thread-main.ts";

export interface WriteRequest<Name extends WriteName = WriteName> {
	readonly name: Name;
	readonly values: WriteValues<Name>;
}

export type WriteReply<Result = unknown> =
	| { readonly result: Result }
	| { readonly error: ThreadError };

/** The parts of an error that are sent between threads. */
export interface ThreadError {
	readonly kind: keyof typeof failures;
	readonly message: string;
	/** SQLite's error code. */
	readonly code: string | undefined;
}

const failures = {
	exhausted: () => idsExhausted,
	wroteNothing: storeWroteNothing,
	unavailable: storeUnavailable,
	internal: (error: Error) => error,
};

export interface WriterThread extends Writer {
	/** Resolves when the thread has ended, for whatever reason. */
	readonly ended: Promise<void>;
}

/** Resolves when the thread has opened its connection. */
export async function openWriterThread(path: string): Promise<WriterThread> {
	// Loaded only now, since most services never start the thread.
	const { Worker } = await import("node:worker_threads");
	const thread = new Worker(locateModule(threadModule), { workerData: path });
	let reason = new Error("The writer thread has ended.");
	let hasEnded = false;
	let rejectReply = (_reason: Error): void => {};
	thread.on("error", (error: Error) => {
		reason = error;
	});
	const ended = new Promise<void>((resolve) => {
		thread.on("exit", () => {
			hasEnded = true;
			rejectReply(reason);
			resolve();
		});
	});

	/** The next message of the thread. It gets one request at a time, so this is the reply to the last one. */
	function receive<Message>(): Promise<Message> {
		const { promise, resolve, reject } = Promise.withResolvers<Message>();
		thread.once("message", resolve);
		rejectReply = reject;
		return promise;
	}

	async function send<Name extends WriteName>(
		request: WriteRequest<Name>,
	): Promise<Written<Name>> {
		const received = receive<WriteReply<Written<Name>>>();
		thread.postMessage(request);
		// A thread that ends may have committed its last write.
		const reply = await received.catch((error) => {
			throw storeUnavailable(error);
		});
		if ("result" in reply) return reply.result;
		const { kind, message, code } = reply.error;
		throw failures[kind](Object.assign(new Error(message), { code }));
	}

	/** Resolves when the thread has answered all requests so far. */
	let idle: Promise<unknown> = receive<"ready">();
	await idle;
	/** Whether the thread is still busy with a request that has timed out. */
	let isStuck = false;

	return {
		ended,
		async write(name, ...values) {
			if (isStuck) throw storeWroteNothing();
			let isSent = false;
			let isLate = false;
			const written = idle.then(() => {
				if (isLate || hasEnded) throw storeWroteNothing(reason);
				isSent = true;
				return send({ name, values });
			});
			idle = written
				.catch(() => {})
				.then(() => {
					isStuck = false;
				});
			return withTimeout(sqliteWriterMs, written, () => {
				isLate = true;
				isStuck ||= isSent;
				return isSent ? storeUnavailable() : storeWroteNothing();
			});
		},
		async close() {
			thread.postMessage("close");
			await withTimeout(sqliteWriterMs, ended, storeUnavailable).catch(
				() => {},
			);
		},
	};
}
