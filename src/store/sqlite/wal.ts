// SQLite's log, brought into the database while it is short, and bounded while another process keeps it from that.
import type { Database } from "bun:sqlite";
import { storeUnavailable } from "../../contract/errors.ts";

/**
 * Gives what is to be called before each write, outside of transactions. It refuses with `unavailable` while the log is full.
 *
 * SQLite would bring its log into the file by itself (`wal_autocheckpoint`), but without waiting for those who read: it then copies
 * what it may and leaves the sync to the next time. If that sync fails, nobody writes the first part again, and a power cut
 * loses it. So we wait until all of it can be copied and synced.
 */
export function keepLogShort(
	db: Database,
	{ waitMs, endReads = () => {}, maxBytes = maxLogBytes }: LogOptions,
): () => void {
	const look = db.query<Log, []>("PRAGMA wal_checkpoint(NOOP)");
	const bringIn = db.query<Log, []>("PRAGMA wal_checkpoint(FULL)");
	/** How long it was when somebody read for too long. */
	let heldAt = 0;
	/** When a full one is worth the next wait. */
	let nextWaitAt = 0;

	/** Whether all of it was brought in. */
	function bringAllIn(): boolean {
		endReads();
		db.run(`PRAGMA busy_timeout = ${waitMs}`);
		try {
			return bringIn.get()?.busy === 0n;
		} finally {
			db.run("PRAGMA busy_timeout = 0");
		}
	}

	return () => {
		const { log = 0n, checkpointed = 0n } = look.get() ?? {};
		const pages = Number(log);
		// It has started anew.
		if (pages < heldAt) heldAt = 0;
		const due = Math.max(Number(checkpointed) + longPages, heldAt + morePages);
		const isFull = pages * pageBytes > maxBytes;
		if (pages < due && !isFull) return;
		if (!isFull || performance.now() >= nextWaitAt) {
			if (bringAllIn()) return;
			heldAt = pages;
			nextWaitAt = performance.now() + betweenWaitsMs;
		}
		if (isFull)
			throw storeUnavailable(
				new Error(
					`another process reads and keeps the log of ${db.filename} from starting anew`,
				),
			);
	};
}

export interface LogOptions {
	/** How long readers are waited for. */
	readonly waitMs: number;
	/** Ends the reads of this connection's own thread, which else would be waited for in vain. */
	readonly endReads?: () => void;
	readonly maxBytes?: number;
}

/** In pages; both are negative for a database in memory. */
interface Log {
	readonly busy: bigint;
	readonly log: bigint;
	readonly checkpointed: bigint;
}

const pageBytes = 4096;
const longPages = 1_000;
/** Who reads for long is not waited for before each write. */
const morePages = 250;
/** Nor again and again while it is full: lists and gets go on. */
const betweenWaitsMs = 100;
/** What may be in it before adds are refused: more would take too long to bring into the file when the reader has gone. */
const maxLogBytes = 256 * 1024 * 1024;
