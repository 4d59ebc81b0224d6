// The bound of SQLite's log. It starts anew when all of it is in the file and nobody reads in it any more, so another process
// that reads for long makes it grow with every commit.
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { storeUnavailable } from "../errors.ts";

/** What may be in it before adds are refused: more would take too long to bring into the file when the reader has gone. */
const maxLogBytes = 256 * 1024 * 1024;

/** Refuses with `unavailable` while the log is full; to be called outside of transactions. */
export function limitLog(db: Database, maxBytes = maxLogBytes): () => void {
	const path = `${db.filename}-wal`;
	const startAnew = db.query<{ busy: bigint }, []>(
		"PRAGMA wal_checkpoint(TRUNCATE)",
	);
	return () => {
		// A database in memory has none.
		const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
		if (size <= maxBytes || startAnew.get()?.busy === 0n) return;
		throw storeUnavailable(
			new Error(`another process reads and keeps ${path} from starting anew`),
		);
	};
}
