// A SQLite file to an open database; waiting for other processes that use it; what its errors mean.
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../async/awaitable.ts";
import {
	OperatorError,
	storeUnavailable,
	toReason,
} from "../../contract/errors.ts";
import { bringUpToDate } from "./schema.ts";

export function openDatabase<Statements>(
	path: string,
	create: boolean,
	prepareStatements: (db: Database) => Statements,
): { db: Database; statements: Statements } {
	if (path !== ":memory:") ensureFile(path, create);
	try {
		const db = new Database(path, {
			readwrite: true,
			strict: true,
			safeIntegers: true,
		});
		// Only until the first request may SQLite itself wait for another process: that stops the event loop.
		db.run("PRAGMA busy_timeout = 5000");
		bringUpToDate(db, path);
		const statements = prepareStatements(db);
		db.run("PRAGMA busy_timeout = 0");
		return { db, statements };
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		const reason = openProblems[error.code ?? ""] ?? error.message;
		throw new OperatorError(`The database ${path} cannot be used: ${reason}.`);
	}
}

const openProblems: Readonly<Record<string, string>> = {
	SQLITE_CANTOPEN: "it is no file that this user may read and write",
	SQLITE_READONLY: "this user may not write it",
};

export function write<T>(
	db: Database,
	work: () => T,
	/** Told how long it took, without the wait for the lock. */
	onCommit: (ms: number) => void = () => {},
): Promise<T> {
	const transaction = db.transaction(work);
	return untilUnlocked(() => {
		const begun = performance.now();
		// IMMEDIATE: a transaction that turns from reading to writing fails without waiting.
		const result = transaction.immediate();
		onCommit(performance.now() - begun);
		return result;
	});
}

/** At once, or when another process gives the lock free that the reading needs. */
export function whenUnlocked<Asked, T>(
	read: (asked: Asked) => T,
	asked: Asked,
): Awaitable<T> {
	try {
		return read(asked);
	} catch (error) {
		if (!isBusy(error)) throw toFailure(error);
		return untilUnlocked(read.bind(undefined, asked));
	}
}

/** Tries again while another process holds the lock that the work needs, until the deadline. */
export async function untilUnlocked<T>(work: () => T): Promise<T> {
	const deadline = performance.now() + lockDeadlineMs;
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline)
				throw toFailure(error);
			await sleep(lockRetryMs);
		}
	}
}

const lockDeadlineMs = 1_500;
const lockRetryMs = 2;

function isBusy(error: unknown): boolean {
	return (
		error instanceof SQLiteError &&
		error.code?.startsWith("SQLITE_BUSY") === true
	);
}

/** What the engine or its disk refuses is `unavailable`; a mistake in our SQL stays what it is. */
function toFailure(error: unknown): unknown {
	return error instanceof SQLiteError && engineTrouble.test(error.code ?? "")
		? storeUnavailable(error)
		: error;
}

const engineTrouble =
	/^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/;

/** SQLite gives its log the permissions of the file, and would give the file those of everybody. */
function ensureFile(path: string, create: boolean): void {
	try {
		if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
		if (!create) throw new OperatorError(`There is no database at ${path}.`);
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		closeSync(openSync(path, "a", 0o600));
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		throw new OperatorError(
			`The database ${path} cannot be opened: ${toReason(error)}.`,
		);
	}
}
