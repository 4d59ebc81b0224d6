// The embedded engine: one SQLite file, or a database in memory. One connection reads, one writes, and long work has its own.

import { Database } from "bun:sqlite";
import { type Awaitable, pause } from "../../domain/async.ts";
import { storeUnavailable } from "../../domain/errors.ts";
import { longLockMs, maxLockMs } from "../../limits.ts";
import { memory } from "../database/database-url.ts";
import type { Access, Engine, Snapshot } from "../database/engine.ts";
import {
	type Answers,
	type Runner,
	runAtOnce,
	runInTurn,
	type Statement,
	type Value,
	type Work,
} from "../database/sql.ts";
import { fold } from "../edits/totals.ts";
import {
	connect,
	connectionOptions,
	connectToRead,
	findDamage,
	indexNames,
	openDatabase,
	orClosed,
	retryWhileBusy,
	setLockTimeout,
	toCommitFailure,
	toRunner,
	type Unnamed,
} from "./connection.ts";
import { orOperatorError, toFailure } from "./errors.ts";
import { guardFile, readLibraryVersion, readWalBytes } from "./file.ts";
import { openReads } from "./reads.ts";
import { readPragma } from "./schema.ts";
import { openThread } from "./thread.ts";
import { checkpointAll, openWal } from "./wal.ts";
import { watchCommits } from "./wal-index.ts";

/** A slow export ends its read transaction at this size of the WAL, which SQLite cannot restart until then. */
const maxExportWalBytes = 128 * 1024 * 1024;

/** How often a service that may be idle looks whether its WAL is the same. */
const watchMs = 1_000;
/** About four times SQLite's default, for large catalogues. */
const cacheKib = 8 * 1024;
/** While a long transaction runs: pages that do not fit are written to the WAL early, and read again. */
const longCacheKib = 8 * 1024;

/** Transactions in a fold. Their rows of the counter usually fit in one page. */
const foldedStates = 32;

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
	const readBytes = () =>
		readPragma(db, "page_count") * readPragma(db, "page_size");
	const guard = guardFile(path, readBytes);
	const reader = isInMemory || access === "read" ? db : connectToRead(path);
	reader.run(`PRAGMA cache_size = -${cacheKib}`);
	const reads = openReads(reader, isInMemory ? undefined : watchCommits(path));
	const writer = toRunner(db);
	const wal = openWal(db, path, isServing, guard, reads.expire);
	// IMMEDIATE: a transaction that reads first and then writes fails without waiting.
	const begin = db.query("BEGIN IMMEDIATE");
	const end = db.query("COMMIT");
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");
	for (const one of [db, reader]) setLockTimeout(one, 0);
	const watch =
		isServing && !isInMemory ? setInterval(wal.watch, watchMs) : undefined;
	watch?.unref();

	/** Each process folds at some of its writes, also if it makes few. */
	let writes = Math.floor(Math.random() * foldedStates);

	async function write<Result>(
		work: () => Work<Result>,
		since = performance.now(),
	): Promise<Result> {
		const transact = () => {
			wal.checkpoint();
			begin.run();
			try {
				const result = runAtOnce(writer, work());
				if (++writes % foldedStates === 0) runAtOnce(writer, fold());
				try {
					end.run();
				} catch (error) {
					throw toCommitFailure(error);
				}
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
		// It opens the files at their paths, which may be others.
		guard();
		wal.require();
		const own = await openLong().catch((error) => {
			throw toFailure(error);
		});
		const run = async (text: string) =>
			void (await own.ask([{ text, values: [] }]));
		try {
			await run(`PRAGMA cache_size = -${longCacheKib}`);
			const deadline = performance.now() + longLockMs;
			await retryWhileBusy(() => run("BEGIN IMMEDIATE"), deadline);
			const result = await runInTurn(own, work());
			await runInTurn(own, fold());
			await run("COMMIT").catch((error) => {
				throw toCommitFailure(error);
			});
			guard();
			wal.require(storeUnavailable);
			if (!isServing) await checkpointAll(run);
			return result;
		} catch (error) {
			throw toFailure(error);
		} finally {
			reads.expire();
			await own.close();
		}
	}

	/** The event loop of a command has nothing else to do. */
	async function openLong(): Promise<LongConnection> {
		const thread = isServing ? await openThread(path) : undefined;
		if (thread) return thread;
		const own = connect(path);
		setLockTimeout(own, 0);
		const { ask, run, close } = toRunner(own);
		return { ...inTurns({ ask, run }), close };
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
			// A view or a table of others can lack the columns.
			const readOne = orOperatorError(path, () => reads.toReadOne<Found>(text));
			return (value: Value) => orFailure(() => readOne(value));
		},
		write,
		writeLong,
		openSnapshot,
		position: "instr",
		toHint: (status) => `INDEXED BY pets_${status}`,
		describe: async () => ({
			engine: "sqlite",
			engineVersion: readLibraryVersion(),
			schema: readPragma(db, "user_version"),
			databaseBytes: readBytes(),
			...(!isInMemory && { walBytes: readWalBytes(path) }),
		}),
		findDamage: () => findDamage(db),
		indexNames,
		async ping() {
			guard();
			orFailure(wal.require);
			orFailure(() => ping.get());
		},
		async close() {
			clearInterval(watch);
			await wal.end();
			if (reader !== db && wal.isBroken()) return;
			reads.close();
			if (reader !== db) writer.close();
		},
	};
}

interface LongConnection extends Runner {
	readonly ask: (statements: readonly Unnamed[]) => Promise<Answers>;
	/** Rolls back an open transaction. */
	readonly close: () => Awaitable<void>;
}

function orFailure<Result>(open: () => Result): Result {
	try {
		return open();
	} catch (error) {
		throw toFailure(error);
	}
}

/** Other requests are answered in between. */
function inTurns({
	ask,
	run,
}: Pick<ReturnType<typeof toRunner>, "ask" | "run">) {
	return {
		async ask(statements: readonly Unnamed[]) {
			const answers: (readonly never[])[] = [];
			for (const one of statements) {
				answers.push(...ask([one]));
				await pause();
			}
			return answers;
		},
		run(statement: Statement) {
			run(statement);
			return pause();
		},
	};
}
