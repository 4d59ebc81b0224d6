// The embedded engine: one SQLite file, or a database in memory. One connection reads, one writes, and long work has its own.

import { Database } from "bun:sqlite";
import { type Awaitable, nextTurn } from "../../domain/async.ts";
import { longLockMs, maxLockMs } from "../../limits.ts";
import { memory } from "../database-url.ts";
import type { Access, Engine, Snapshot } from "../engine.ts";
import {
	type Runner,
	runAtOnce,
	runInTurn,
	type Value,
	type Work,
} from "../sql.ts";
import {
	checkpointAll,
	commit,
	connect,
	connectionOptions,
	connectToRead,
	createCheckpoint,
	findDamage,
	openDatabase,
	orClosed,
	retryWhileBusy,
	setLockTimeout,
	toRunner,
} from "./connection.ts";
import { orOperatorError, toFailure } from "./errors.ts";
import { guardFile, readLibraryVersion, readWalBytes } from "./file.ts";
import { openReads } from "./reads.ts";
import { readPragma } from "./schema.ts";
import { watchCommits } from "./wal-index.ts";

/** A slow export ends its read transaction at this size of the WAL, which SQLite cannot restart until then. */
const maxExportWalBytes = 128 * 1024 * 1024;

/** How long statements of long work run before other requests are answered. */
const sliceMs = 5;
/** About four times SQLite's default, for large catalogues. */
const cacheKib = 8 * 1024;
/** While a long transaction runs: pages that do not fit are written to the WAL early, and read again. */
const longCacheKib = 32 * 1024;

/** Takes a path or `:memory:`. */
export function openSqlite(
	path: string,
	access: Access,
	isServing: boolean,
): Engine {
	return orOperatorError(path, () =>
		// A statement that cannot be prepared shows that a table is missing.
		orClosed(openDatabase(path, access), (db) =>
			toEngine(db, path, access, isServing),
		),
	);
}

function toEngine(
	db: Database,
	path: string,
	access: Access,
	isServing: boolean,
): Engine {
	const isInMemory = path === memory;
	const guard = guardFile(path);
	const reader = isInMemory || access === "read" ? db : connectToRead(path);
	reader.run(`PRAGMA cache_size = -${cacheKib}`);
	const reads = openReads(reader, isInMemory ? undefined : watchCommits(path));
	const writer = toRunner(db);
	const checkpoint = createCheckpoint(db, reads.expire);
	// IMMEDIATE: a transaction that reads first and then writes fails without waiting.
	const begin = db.query("BEGIN IMMEDIATE");
	const end = db.query("COMMIT");
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");
	for (const one of [db, reader]) setLockTimeout(one, 0);

	async function write<Result>(
		work: () => Work<Result>,
		since = performance.now(),
	): Promise<Result> {
		const transact = () => {
			checkpoint();
			begin.run();
			try {
				const result = runAtOnce(writer, work());
				commit(end);
				return result;
			} catch (error) {
				// After some errors SQLite has rolled back already.
				if (db.inTransaction) db.run("ROLLBACK");
				throw error;
			} finally {
				reads.expire();
			}
		};
		const result = await retryWhileBusy(transact, since + maxLockMs);
		// A write to a file that was replaced is lost.
		guard();
		return result;
	}

	/** A database in memory has no other connection: its transaction must not let others see what it has not committed. */
	async function writeLong<Result>(work: () => Work<Result>): Promise<Result> {
		if (isInMemory) return write(work);
		// It opens the file at the path, which may be another.
		guard();
		const own = orFailure(() => connect(path));
		const runner = toRunner(own);
		try {
			setLockTimeout(own, 0);
			own.run(`PRAGMA cache_size = -${longCacheKib}`);
			const end = own.query("COMMIT");
			const deadline = performance.now() + longLockMs;
			await retryWhileBusy(() => own.run("BEGIN IMMEDIATE"), deadline);
			const result = await runInTurn(inTurns(runner), work());
			commit(end);
			if (!isServing) checkpointAll(own);
			guard();
			return result;
		} catch (error) {
			if (own.inTransaction) own.run("ROLLBACK");
			throw toFailure(error);
		} finally {
			reads.expire();
			runner.close();
		}
	}

	/** A database in memory is copied. */
	async function openSnapshot(): Promise<Snapshot> {
		guard();
		const own = orFailure(() =>
			isInMemory
				? Database.deserialize(db.serialize(), connectionOptions)
				: connectToRead(path),
		);
		setLockTimeout(own, 0);
		const runner = toRunner(own);
		const walBytes = readWalBytes(path);
		await retryWhileBusy(() => {
			if (!own.inTransaction) own.run("BEGIN");
			own.query("SELECT last FROM counter").get();
		});
		return {
			read: (work) =>
				runInTurn(inTurns(runner), work()).catch((error) => {
					throw toFailure(error);
				}),
			mustEndSoon: () =>
				readWalBytes(path) > Math.max(walBytes, maxExportWalBytes),
			async close() {
				if (own.inTransaction) own.run("ROLLBACK");
				runner.close();
			},
		};
	}

	return {
		state: () => orFailure(reads.state),
		read: (work) => orFailure(() => reads.read(work)),
		toReadOne<Found>(_name: string, text: string) {
			const readOne = reads.toReadOne<Found>(text);
			return (value: Value) => orFailure(() => readOne(value));
		},
		write,
		writeLong,
		openSnapshot,
		toHint: (status) => `INDEXED BY pets_${status}`,
		describe: async () => ({
			engine: "sqlite",
			engineVersion: readLibraryVersion(),
			schema: readPragma(db, "user_version"),
			databaseBytes: readPragma(db, "page_count") * readPragma(db, "page_size"),
			...(!isInMemory && { walBytes: readWalBytes(path) }),
		}),
		findDamage: () => findDamage(db),
		async ping() {
			guard();
			orFailure(() => ping.get());
		},
		async close() {
			reads.close();
			if (reader !== db) writer.close();
		},
	};
}

function orFailure<Result>(open: () => Result): Result {
	try {
		return open();
	} catch (error) {
		throw toFailure(error);
	}
}

/** Other requests are answered in between. */
function inTurns({ ask, run }: ReturnType<typeof toRunner>): Runner {
	let turnEnd = performance.now() + sliceMs;

	function pause<Result>(result: Result): Awaitable<Result> {
		if (performance.now() < turnEnd) return result;
		return nextTurn().then(() => {
			turnEnd = performance.now() + sliceMs;
			return result;
		});
	}

	return {
		ask: (statements) => pause(ask(statements)),
		run: (statement) => pause(run(statement)),
	};
}
