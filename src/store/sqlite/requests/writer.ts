// Runs the write transactions of a service, each on the event loop.
import type { Database } from "bun:sqlite";
import { commit, retryWhileBusy } from "../database.ts";
import type { FileGuard } from "../files/file-guard.ts";
import { createCheckpointer } from "../files/wal.ts";

/** Runs the statements in one transaction, and resolves when it is durable. */
export type Write = <Result>(statements: () => Result) => Promise<Result>;

/** `endSnapshot` ends the read transaction of this process, which would prevent a checkpoint. */
export function createWriter(
	db: Database,
	requireSame: FileGuard,
	endSnapshot = () => {},
): Write {
	const checkpoint = createCheckpointer(db, endSnapshot);
	// IMMEDIATE: a transaction that reads first and then writes fails without waiting. By `query`, since `close` finalizes only the
	// statements that `query` made.
	const begin = db.query("BEGIN IMMEDIATE");
	return async (statements) => {
		const written = await retryWhileBusy(() => {
			checkpoint();
			begin.run();
			try {
				const result = statements();
				commit(db);
				return result;
			} catch (error) {
				// After some errors SQLite has rolled back already.
				if (db.inTransaction) db.run("ROLLBACK");
				throw error;
			}
		});
		// A write to a file that was replaced is lost.
		requireSame();
		return written;
	};
}
