// Checkpoints SQLite's write-ahead log (WAL) before it gets long. Refuses writes while another process prevents that and the WAL is full.
import type { Database } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { storeWroteNothing } from "../../../domain/errors.ts";
import {
	checkpointWaitMs,
	maxWalBytes,
	threadCheckpointWaitMs,
	walCheckpointPages,
} from "../../../limits.ts";
import { setLockTimeout } from "../database.ts";
import { toFailure } from "../errors.ts";

/** Further pages before the next attempt, after a reader has kept a checkpoint from finishing. */
const walRetryPages = 250;
/** Attempts of a command to checkpoint a long WAL. */
const checkpointAttempts = 20;
/** A full WAL is checkpointed at most this often, since each attempt waits for the reader that prevents it. */
const fullWalRetryMs = 100;

/**
 * Returns a function to call before each write, outside of transactions. It throws `unavailable` while the WAL is full.
 *
 * SQLite's automatic checkpoints (`wal_autocheckpoint`) do not wait for readers: they copy only the pages that no reader needs, and
 * leave the fsync of the database file to the next checkpoint. If that fsync fails, the pages are not written again, and a power cut
 * can lose them. So this checkpoint waits for readers, and then copies and syncs all pages.
 */
export function createCheckpointer(
	db: Database,
	{
		waitMs = checkpointWaitMs,
		endSnapshot = () => {},
		maxBytes = maxWalBytes,
	}: CheckpointOptions,
): () => void {
	const readState = db.query<WalState, []>("PRAGMA wal_checkpoint(NOOP)");
	const checkpoint = db.query<WalState, []>("PRAGMA wal_checkpoint(FULL)");
	/** How long the WAL was when a reader last prevented a checkpoint. */
	let pagesAtFailure = 0;
	let nextAttemptAt = 0;

	/** Whether all pages were copied. */
	function runCheckpoint(): boolean {
		endSnapshot();
		setLockTimeout(db, waitMs);
		try {
			return checkpoint.get()?.busy === 0n;
		} finally {
			setLockTimeout(db, 0);
		}
	}

	return () => {
		const { log = 0n, checkpointed = 0n } = readState.get() ?? {};
		const pages = Number(log);
		// SQLite has restarted the WAL.
		if (pages < pagesAtFailure) pagesAtFailure = 0;
		const due = Math.max(
			Number(checkpointed) + walCheckpointPages,
			pagesAtFailure + walRetryPages,
		);
		const isFull = pages * pageBytes > maxBytes;
		if (pages < due && !isFull) return;
		if (!isFull || performance.now() >= nextAttemptAt) {
			// SQLite restarts the WAL with the next write, so it may still be as long.
			if (runCheckpoint()) return;
			pagesAtFailure = pages;
			nextAttemptAt = performance.now() + fullWalRetryMs;
		}
		if (isFull)
			throw storeWroteNothing(
				new Error(
					`the WAL of ${db.filename} is full, because another process holds a read transaction open`,
				),
			);
	};
}

/**
 * Checkpoints the whole WAL after a long transaction of a command; otherwise the service would, on its event loop. Adds wait while a
 * checkpoint waits for readers, so each attempt is short. If all attempts fail, the service does it.
 */
export async function checkpointAll(db: Database): Promise<void> {
	setLockTimeout(db, threadCheckpointWaitMs);
	const checkpoint = db.query<WalState, []>("PRAGMA wal_checkpoint(FULL)");
	try {
		for (let attempt = 0; attempt < checkpointAttempts; attempt++) {
			if (checkpoint.get()?.busy === 0n) return;
			await sleep(threadCheckpointWaitMs);
		}
	} catch (error) {
		// The commit is durable in the WAL, even if the disk is full.
		if (toFailure(error) === error) throw error;
	}
}

export interface CheckpointOptions {
	/** How long to wait for readers. */
	readonly waitMs?: number;
	/** Ends the read transaction of this thread, which would prevent the checkpoint. */
	readonly endSnapshot?: () => void;
	readonly maxBytes?: number;
}

/** Pages: `log` in the WAL, `checkpointed` of them copied into the database file. Negative for a database in memory. */
interface WalState {
	readonly busy: bigint;
	readonly log: bigint;
	readonly checkpointed: bigint;
}

/** SQLite's default, which all our files have. */
const pageBytes = 4096;
