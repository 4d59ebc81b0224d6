// Where the writes of requests are carried out: on the event loop while the disk is fast, since there an add costs a third
// less; on a thread of their own from the time that the disk is slow, so that no reader waits for a commit.
import type { Database } from "bun:sqlite";
import { openWriter } from "./writer-client.ts";
import { prepareWrites, type Writes } from "./writes.ts";

/** `endReads` ends those of this thread. */
export function placeWrites(
	db: Database,
	path: string,
	endReads: () => void,
): Writes {
	let slowShare = 0;
	let thread: Writes | undefined;
	const here = prepareWrites(db, {
		endReads,
		waitMs,
		onCommit(ms) {
			slowShare += ((ms > slowMs ? 1 : 0) - slowShare) / commitsLooked;
			if (slowShare > 0.5) thread ??= openWriter(path);
		},
	});
	const place = () => thread ?? here;
	return {
		addPets: (additions) => place().addPets(additions),
		forgetIdempotencyKeys: (before) => place().forgetIdempotencyKeys(before),
		recordKeyUse: (id, at) => place().recordKeyUse(id, at),
		close: () => place().close(),
	};
}

/** A commit that keeps everybody waiting for longer than this is slow. One alone proves nothing. */
const slowMs = 3;
const commitsLooked = 12;
/** For the reads of other processes, since nobody is answered meanwhile. */
const waitMs = 5;
