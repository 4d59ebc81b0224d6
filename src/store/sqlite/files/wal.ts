// Checkpoints SQLite's write-ahead log (WAL) before it gets long.
import type { Database } from "bun:sqlite";
import { setLockTimeout } from "../database.ts";
import { toFailure } from "../errors.ts";

/** Pages in the WAL that make a checkpoint due. */
const walCheckpointPages = 1_000n;
/** How long the checkpoint of a command waits for readers. Adds wait for it. */
const commandCheckpointMs = 100;

/**
 * Returns a function to call before each write, outside of transactions. `endSnapshot` ends the read transaction of this process, which
 * would prevent the checkpoint. A reader in another process prevents it too; then the next write tries again.
 *
 * SQLite's automatic checkpoints (`wal_autocheckpoint`) leave the fsync of the database file to the next checkpoint if a reader needs some
 * pages. If that fsync fails, the pages are not written again, and a power cut can lose them.
 */
export function createCheckpointer(
	db: Database,
	endSnapshot: () => void,
): () => void {
	const readState = db.query<WalState, []>("PRAGMA wal_checkpoint(NOOP)");
	const checkpoint = db.query(fullCheckpoint);
	return () => {
		const { log = 0n, checkpointed = 0n } = readState.get() ?? {};
		if (log - checkpointed < walCheckpointPages) return;
		endSnapshot();
		checkpoint.get();
	};
}

/** Checkpoints the whole WAL after a long transaction of a command; if that fails, the service does it. */
export function checkpointAll(db: Database): void {
	setLockTimeout(db, commandCheckpointMs);
	try {
		db.query(fullCheckpoint).get();
	} catch (error) {
		// The commit is durable in the WAL, even if the disk is full.
		if (toFailure(error) === error) throw error;
	}
}

const fullCheckpoint = "PRAGMA wal_checkpoint(FULL)";

/** Pages: `log` in the WAL, `checkpointed` of them copied into the database file. Negative for a database in memory. */
interface WalState {
	readonly log: bigint;
	readonly checkpointed: bigint;
}
