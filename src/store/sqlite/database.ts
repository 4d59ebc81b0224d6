// SQLite connections: opening them, waiting for the locks of other processes, and what their errors mean.
import { Database, SQLiteError } from "bun:sqlite";
import {
	closeSync,
	lstatSync,
	mkdirSync,
	openSync,
	readlinkSync,
	realpathSync,
	statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../async/awaitable.ts";
import {
	OperatorError,
	storeUnavailable,
	storeWroteNothing,
	toReason,
} from "../../contract/errors.ts";
import {
	idleWalBytes,
	sqliteLockMs,
	sqliteLockRetryMs,
	sqliteStartLockMs,
} from "../../limits.ts";
import { requireOwnWal } from "./database-file.ts";
import { migrate, requireSafeVersion } from "./schema.ts";

/** The path of a database in memory. */
export const memory = ":memory:";

/**
 * A connection to a database at the newest schema. It waits for locks until `setLockTimeout(db, 0)`, which must be called
 * before the first request, since the event loop stops while SQLite waits.
 */
export function openDatabase(path: string, create: boolean): Database {
	if (path !== memory) ensureFile(path, create);
	return orOperatorError(path, () => {
		const db = openConnection(path);
		requireSafeVersion(db);
		migrate(db, path);
		useWal(db, path);
		return db;
	});
}

/** A further connection to a file that `openDatabase` has opened; it too waits for locks at first. */
export function connect(path: string): Database {
	return orOperatorError(path, () => openConnection(path));
}

export const connectionOptions = {
	readwrite: true,
	strict: true,
	safeIntegers: true,
} as const;

function openConnection(path: string): Database {
	const db = new Database(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	configure(db);
	return db;
}

/** The settings that protect the data, which each connection needs. */
export function configure(db: Database): void {
	db.run("PRAGMA synchronous = FULL");
	db.run(`PRAGMA journal_size_limit = ${idleWalBytes}`);
	// The service runs checkpoints itself: see wal.ts.
	db.run("PRAGMA wal_autocheckpoint = 0");
}

/** How long SQLite itself waits for a lock, which stops the thread. */
export function setLockTimeout(db: Database, ms: number): void {
	db.run(`PRAGMA busy_timeout = ${ms}`);
}

function useWal(db: Database, path: string): void {
	const [[mode] = []] = db.query("PRAGMA journal_mode = WAL").values();
	if (mode !== "wal" && path !== memory)
		throw new OperatorError(
			`${path} cannot have a write-ahead log where it is; choose a local disk.`,
		);
}

/** Runs a write transaction as soon as no other process holds the lock. */
export function write<Result>(
	db: Database,
	work: () => Result,
	{ beforeBegin = () => {}, onCommit = () => {} }: WriteHooks = {},
): Promise<Result> {
	return retryWhileBusy(() => {
		beforeBegin();
		const startedAt = performance.now();
		const result = inTransaction(db, work);
		onCommit(performance.now() - startedAt);
		return result;
	});
}

export interface WriteHooks {
	/** Called outside the transaction. */
	readonly beforeBegin?: () => void;
	/** Gets the time that the transaction took, without the wait for the lock. */
	readonly onCommit?: (ms: number) => void;
}

function inTransaction<Result>(db: Database, work: () => Result): Result {
	// IMMEDIATE, since a transaction that begins with a read and then writes fails without waiting.
	db.query("BEGIN IMMEDIATE").run();
	try {
		const result = work();
		commit(db);
		return result;
	} catch (error) {
		// SQLite has rolled back by itself after some errors.
		if (db.inTransaction) db.query("ROLLBACK").run();
		throw error;
	}
}

/**
 * A COMMIT that fails may have written all of the transaction to the WAL. This process ignores it there, but after a crash the next
 * one would find it. A busy COMMIT has written nothing.
 */
function commit(db: Database): void {
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
): Promise<Result> {
	const deadline = performance.now() + sqliteLockMs;
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline)
				throw toFailure(error);
			await sleep(sqliteLockRetryMs);
		}
	}
}

function isBusy(error: unknown): boolean {
	return (
		error instanceof SQLiteError &&
		error.code?.startsWith("SQLITE_BUSY") === true
	);
}

/** A failure of the engine or its disk before COMMIT is `unavailable`; a mistake in our SQL stays as it is. */
export function toFailure(error: unknown): unknown {
	return isEngineError(error) ? storeWroteNothing(error) : error;
}

function isEngineError(error: unknown): boolean {
	return error instanceof SQLiteError && engineErrors.test(error.code ?? "");
}

const engineErrors =
	/^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/;

export function orOperatorError<Result>(
	path: string,
	open: () => Result,
): Result {
	try {
		return open();
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		const [code = ""] = /^SQLITE_[A-Z]+/.exec(error.code ?? "") ?? [];
		const reason = openErrors[code] ?? error.message;
		throw new OperatorError(`The database ${path} cannot be used: ${reason}.`);
	}
}

/** By their primary codes: SQLITE_READONLY_DIRECTORY is a SQLITE_READONLY. */
const openErrors: Readonly<Record<string, string>> = {
	SQLITE_CANTOPEN:
		"this user may not read and write it, or not create files in its folder",
	SQLITE_NOTADB: "it is not a database",
	SQLITE_READONLY:
		"this user may not write it, or not create files in its folder",
};

export function requireFile(path: string): void {
	ensureFile(path, false);
}

/**
 * SQLite would create the file readable for all users. It gives the WAL the permissions of the file. The target of a symbolic link is
 * created too, but not its folder, which may be on a disk that is not mounted.
 */
function ensureFile(path: string, create: boolean): void {
	requireOwnWal(path);
	try {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory())
			throw new OperatorError(
				`The database ${path} is a folder; name a file in it.`,
			);
		if (found !== undefined) return;
		if (!create) throw new OperatorError(`There is no database at ${path}.`);
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		requireTargetFolder(path);
		closeSync(openSync(path, "a", 0o600));
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		throw new OperatorError(
			`The database ${path} cannot be opened: ${toReason(error)}.`,
		);
	}
}

function requireTargetFolder(path: string): void {
	if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
	const target = resolve(realpathSync(dirname(path)), readlinkSync(path));
	if (statSync(dirname(target), { throwIfNoEntry: false }) === undefined)
		throw new OperatorError(
			`The database ${path} is a symbolic link to ${target}, whose folder does not exist; create the folder, or correct the link.`,
		);
}
