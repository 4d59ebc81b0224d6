// Decides where writes run: on the event loop, where an add takes less processor time; or on a thread, if
// commits are slow or a transaction has many changes, so that reads do not wait.
import type { Database } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
	slowCommitMs,
	slowCommitWindow,
	writerStartMs,
} from "../../../../limits.ts";
import type { FileGuard } from "../../files/file-guard.ts";
import { openWriterThread, type WriterThread } from "./thread.ts";
import { createWriter, type WriteName, type Writer } from "./writer.ts";

/** More changes in one transaction run on the thread: in a large catalogue each may read and write its own pages. */
export const maxEventLoopChanges = 20;

/** `endSnapshot` ends the read transaction of this thread. */
export function openWriter(
	db: Database,
	path: string,
	guard: FileGuard,
	endSnapshot: () => void,
	openThread: (path: string) => Promise<WriterThread> = openWriterThread,
): Writer {
	let slowShare = 0;
	let isSlow = false;
	let thread: WriterThread | undefined;
	let opening: Promise<void> | undefined;

	const writer = createWriter(db, guard, {
		endSnapshot,
		onCommit(ms) {
			const slow = ms > slowCommitMs ? 1 : 0;
			slowShare += (slow - slowShare) / slowCommitWindow;
			isSlow ||= slowShare > 0.5;
			if (isSlow) opening ??= open();
		},
		async findOther(name, values) {
			if (isMany(name, values)) {
				opening ??= open();
				await Promise.race([opening, sleep(writerStartMs)]);
				return thread;
			}
			return isSlow ? thread : undefined;
		},
	});

	/** Writes stay on the event loop until the thread is ready, and return if it cannot start or ends. */
	async function open(): Promise<void> {
		try {
			thread = await openThread(path);
			thread.ended.then(returnToEventLoop);
		} catch {
			returnToEventLoop();
		}
	}

	function returnToEventLoop(): void {
		thread = undefined;
		opening = undefined;
		// A thread is opened again after as many slow commits as the first time.
		slowShare = 0;
		isSlow = false;
	}

	return {
		...writer,
		async close() {
			await opening;
			await thread?.close();
		},
	};
}

function isMany(name: WriteName, [changes]: readonly unknown[]): boolean {
	return (
		name === "changePets" &&
		Array.isArray(changes) &&
		changes.length > maxEventLoopChanges
	);
}
