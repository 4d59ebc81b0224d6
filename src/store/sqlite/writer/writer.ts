// Decides where writes run: on the event loop at first; on a thread once commits were slow, so that reads do not wait for the disk. An
// add takes less processor time on the event loop (npm run bench -- --tricks).
import type { Database } from "bun:sqlite";
import { slowCommitMs, slowCommitWindow } from "../../../limits.ts";
import { openWriterThread, type WriterThread } from "./thread.ts";
import { prepareWrites, type Writes } from "./writes.ts";

/** `endSnapshot` ends the read transaction of this thread. */
export function openWriter(
	db: Database,
	path: string,
	endSnapshot: () => void,
	openThread: (path: string) => Promise<WriterThread> = openWriterThread,
): Writes {
	let slowShare = 0;
	let thread: WriterThread | undefined;
	let opening: Promise<void> | undefined;

	const onEventLoop = prepareWrites(db, {
		endSnapshot,
		onCommit(ms) {
			const isSlow = ms > slowCommitMs ? 1 : 0;
			slowShare += (isSlow - slowShare) / slowCommitWindow;
			if (slowShare > 0.5) opening ??= open();
		},
	});

	/** Writes stay on the event loop until the thread is ready, and return to it if the thread cannot start or has ended. */
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
	}

	const current = (): Writes => thread ?? onEventLoop;
	return {
		addPets: (additions) => current().addPets(additions),
		changePets: (changes) => current().changePets(changes),
		deleteIdempotencyKeys: (usedBefore) =>
			current().deleteIdempotencyKeys(usedBefore),
		recordKeyUse: (id, at) => current().recordKeyUse(id, at),
		addUsage: (rows) => current().addUsage(rows),
		deleteUsage: (period, startsBefore) =>
			current().deleteUsage(period, startsBefore),
		async close() {
			await opening;
			await thread?.close();
		},
	};
}
