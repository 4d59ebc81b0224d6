// SQLite connections: opening them, running statements and commits, and waiting for the locks of other processes.
import { Database, type Statement as SqliteStatement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { type Awaitable, sleepThread } from "../../domain/async.ts";
import { OperatorError, storeUnavailable } from "../../domain/errors.ts";
import { maxLockMs } from "../../limits.ts";
import { memory } from "../database/database-url.ts";
import { type Access, isWriting } from "../database/engine.ts";
import { newCatalogueId } from "../database/schema.ts";
import type { Statement, Value } from "../database/sql.ts";
import { isBusy, isEngineError, toFailure } from "./errors.ts";
import { prepareFile, requireSafeWal, toNames } from "./file.ts";
import { findForeign, prepareSchema, requireMark } from "./schema.ts";

/** How long a start waits for another process's lock. SQLite itself waits, which blocks the event loop. */
const sqliteStartLockMs = 5_000;

/** The size to which SQLite truncates the WAL file when it restarts the WAL. */
export const idleWalBytes = 8 * 1024 * 1024;

/** How often a wait for the lock of another process of SQLite looks. */
const sqliteLockRetryMs = 2;

export const connectionOptions = {
	readwrite: true,
	strict: true,
	safeIntegers: true,
} as const;

/** The first connection of a store. It waits for locks, which blocks the event loop, until `setLockTimeout`. */
export function openDatabase(path: string, access: Access): Database {
	if (path !== memory) {
		if (isWriting(access)) requireSafeWal();
		prepareFile(path, access);
		requireMark(path);
	}
	return isWriting(access)
		? openToWrite(path, access)
		: openToRead(path, access);
}

function openToWrite(path: string, access: Access): Database {
	return orClosed(connect(path), (db) => {
		prepareSchema(db, path, access);
		useWal(db, path);
		// A backup that is served is none any more, and must not count the backups of its original as its own.
		if (db.query("SELECT 1 FROM catalogue WHERE made_at IS NOT NULL").get())
			db.run(
				"UPDATE catalogue SET made_at = NULL, content_hash = NULL, bytes = NULL, id = ?",
				[newCatalogueId()],
			);
		return db;
	});
}

function openToRead(path: string, access: Access): Database {
	return orClosed(connectToRead(path), (db) => {
		if (readJournalMode(db) === "wal") requireSafeWal();
		prepareSchema(db, path, access);
		return db;
	});
}

/** Closes the connection if `use` fails. */
export function orClosed<Result>(
	db: Database,
	use: (db: Database) => Result,
): Result {
	try {
		return use(db);
	} catch (error) {
		db.close();
		throw error;
	}
}

export function connect(path: string, platform = process.platform): Database {
	const db = new Database(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	for (const text of toSettings(platform)) db.run(text);
	return db;
}

/** The settings that protect the data, which each connection that writes needs. */
export function toSettings(platform = process.platform): readonly string[] {
	return [
		"PRAGMA synchronous = FULL",
		// On macOS fsync returns while the drive may still have the data in its cache.
		...(platform === "darwin"
			? ["PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON"]
			: []),
		`PRAGMA journal_size_limit = ${idleWalBytes}`,
		// The service runs checkpoints itself: see `wal.ts`.
		"PRAGMA wal_autocheckpoint = 0",
	];
}

/**
 * The last connection to close checkpoints and removes the WAL, if it may write. So a file with a WAL is opened read-only. Without a WAL,
 * this connection creates an empty one and removes it when it closes.
 */
export function connectToRead(path: string): Database {
	const { readwrite: _, ...options } = connectionOptions;
	const db = existsSync(toNames(path).wal)
		? new Database(path, { ...options, readonly: true })
		: new Database(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	db.run("PRAGMA query_only = ON");
	return db;
}

/** How long SQLite itself waits for a lock, which blocks the thread. */
export function setLockTimeout(db: Database, ms: number): void {
	db.run(`PRAGMA busy_timeout = ${ms}`);
}

function useWal(db: Database, path: string): void {
	const deadline = performance.now() + sqliteStartLockMs;
	for (;;) {
		try {
			if (readJournalMode(db, " = WAL") === "wal" || path === memory) return;
			throw new OperatorError(
				`SQLite cannot use a write-ahead log at ${path}; choose a local disk.`,
			);
		} catch (error) {
			// SQLite does not wait here while another process opens the new file.
			if (!isBusy(error) || performance.now() > deadline) throw error;
			sleepThread(sqliteLockRetryMs);
		}
	}
}

function readJournalMode(db: Database, set = ""): unknown {
	const [[mode] = []] = db.query(`PRAGMA journal_mode${set}`).values();
	return mode;
}

/** SQLite needs no name of a statement. */
export type Unnamed = Omit<Statement, "name">;

/** Runs statements on a connection, and keeps them prepared: the store has few different texts. */
export function toRunner(db: Database) {
	const prepared = new Map<string, SqliteStatement<never, Value[]>>();

	function prepare(text: string): SqliteStatement<never, Value[]> {
		let statement = prepared.get(text);
		if (statement === undefined) {
			statement = db.prepare<never, Value[]>(toSqliteText(text));
			prepared.set(text, statement);
		}
		return statement;
	}

	return {
		prepare: <Found>(text: string): SqliteStatement<Found, Value[]> =>
			prepare(text),
		ask: (statements: readonly Unnamed[]): readonly never[][] =>
			statements.map(({ text, values }) => prepare(text).all(...values)),
		run({ text, values }: Statement): void {
			prepare(text).run(...values);
		},
		/** Closes the connection, which closes its file only when no statement is left. */
		close(): void {
			for (const statement of prepared.values()) statement.finalize();
			db.close();
		},
	};
}

/** SQLite writes `?1` for `$1`, and reads the members of a JSON text in its own words. */
export function toSqliteText(text: string): string {
	return text
		.replace(/\$(\d)/g, "?$1")
		.replace(/json_each_text\(CAST\((\w+) AS json\)\)/g, "json_each($1)");
}

/**
 * A COMMIT that fails may have written all of the transaction to the WAL. This process ignores it there, but after a crash the next
 * one would find it. A busy COMMIT has written nothing.
 */
export function toCommitFailure(error: unknown): unknown {
	return isBusy(error) || !isEngineError(error)
		? error
		: storeUnavailable(error);
}

/** SQLite's own waiting would stop the event loop. */
export async function retryWhileBusy<Result>(
	work: () => Awaitable<Result>,
	deadline = performance.now() + maxLockMs,
): Promise<Result> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline)
				throw toFailure(error);
			await Bun.sleep(sqliteLockRetryMs);
		}
	}
}

export const indexNames = "SELECT name FROM sqlite_schema WHERE type = 'index'";

/** One line for each damage of the file. A read-only connection does not compare rows with the CHECK constraints. */
export function findDamage(db: Database): readonly string[] {
	const foreign = findForeign(db);
	if (foreign.length > 0) return foreign;
	const rows = db.query("PRAGMA integrity_check").values().flat();
	// A row may have several lines, below a heading.
	const lines = rows.flatMap((row) => String(row).split("\n"));
	return lines.filter((line) => line !== "ok" && !line.startsWith("***"));
}
