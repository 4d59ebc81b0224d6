// SQLite connections: opening them, transactions, and waiting for the locks of other processes.
import { Database } from "bun:sqlite";
import { type Awaitable, sleepThread } from "../../domain/async.ts";
import { OperatorError, storeUnavailable } from "../../domain/errors.ts";
import {
	idleWalBytes,
	sqliteLockMs,
	sqliteLockRetryMs,
	sqliteStartLockMs,
} from "../../limits.ts";
import { isBusy, isEngineError, orOperatorError, toFailure } from "./errors.ts";
import { ensureFile, memory, requireWritable } from "./files/file.ts";
import { requireSafeWal } from "./files/library.ts";
import { migrate, requireMark } from "./schema.ts";

/**
 * A connection to a database at the newest schema. It waits for locks, which blocks the event loop. So call `setLockTimeout(db, 0)` before
 * the first request.
 */
export function openDatabase(path: string, create: boolean): Database {
	if (path !== memory) {
		requireSafeWal();
		ensureFile(path, create);
		requireMark(path);
		requireWritable(path);
	}
	const db = openConfigured(path);
	try {
		migrate(db, path);
		useWal(db, path);
		markServed(db);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/** A further connection to a file that `openDatabase` has opened. It waits for locks at first, too. */
export function connect(path: string): Database {
	return orOperatorError(path, () => openConfigured(path));
}

/** A connection for a request or a command on an open database. If it fails, the store is `unavailable`. */
export function connectAgain(path: string): Database {
	try {
		return openConfigured(path);
	} catch (error) {
		throw toFailure(error);
	}
}

export const connectionOptions = {
	readwrite: true,
	strict: true,
	safeIntegers: true,
} as const;

function openConfigured(path: string): Database {
	const db = new Database(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	configure(db);
	return db;
}

/** The settings that protect the data, which each connection needs. */
export function configure(
	db: Database,
	platform: string = process.platform,
): void {
	db.run("PRAGMA synchronous = FULL");
	// On macOS fsync returns while the drive may still have the data in its cache.
	if (platform === "darwin")
		db.run("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
	db.run(`PRAGMA journal_size_limit = ${idleWalBytes}`);
	// The service runs checkpoints itself: see wal.ts.
	db.run("PRAGMA wal_autocheckpoint = 0");
}

/** How long SQLite itself waits for a lock, which blocks the thread. */
export function setLockTimeout(db: Database, ms: number): void {
	db.run(`PRAGMA busy_timeout = ${ms}`);
}

/** Clears the mark of a backup that is served now. */
function markServed(db: Database): void {
	const marked = db.query("SELECT 1 FROM catalogue WHERE made_at IS NOT NULL");
	if (marked.get() !== null) db.run("UPDATE catalogue SET made_at = NULL");
}

function useWal(db: Database, path: string): void {
	const [[mode] = []] = setJournalMode(db);
	if (mode !== "wal" && path !== memory)
		throw new OperatorError(
			`SQLite cannot use a write-ahead log at ${path}; choose a local disk.`,
		);
}

/** SQLite does not wait here while another process opens the new file, so this function does. */
function setJournalMode(db: Database): unknown[][] {
	const deadline = performance.now() + sqliteStartLockMs;
	for (;;) {
		try {
			return db.query("PRAGMA journal_mode = WAL").values();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline) throw error;
			sleepThread(sqliteLockRetryMs);
		}
	}
}

/** Begins a write transaction of a command, which waits longer than a request. */
export function beginLong(db: Database): Promise<unknown> {
	// SQLite's own waiting would keep signals from being handled.
	setLockTimeout(db, 0);
	return retryWhileBusy(() => db.run("BEGIN IMMEDIATE"), sqliteStartLockMs);
}

/**
 * A COMMIT that fails may have written all of the transaction to the WAL. This process ignores it there, but after a crash the next
 * one would find it. A busy COMMIT has written nothing.
 */
export function commit(db: Database): void {
	try {
		db.query("COMMIT").run();
	} catch (error) {
		throw isBusy(error) || !isEngineError(error)
			? error
			: storeUnavailable(error);
	}
}

/** The result of `read`; or, if another process holds the lock that it needs, a promise of the result. */
export function readOrRetry<Argument, Result>(
	read: (argument: Argument) => Result,
	argument: Argument,
): Awaitable<Result> {
	try {
		return read(argument);
	} catch (error) {
		if (!isBusy(error)) throw toFailure(error);
		return retryWhileBusy(() => read(argument));
	}
}

export async function retryWhileBusy<Result>(
	work: () => Result,
	ms = sqliteLockMs,
): Promise<Result> {
	const deadline = performance.now() + ms;
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline)
				throw toFailure(error);
			await Bun.sleep(sqliteLockRetryMs);
		}
	}
}
