// The write-ahead log of a SQLite file: its checkpoints, and what to do when another program has changed it.
import type { Database } from "bun:sqlite";
import type { Awaitable } from "../../domain/async.ts";
import { storeWroteNothing } from "../../domain/errors.ts";
import { idleWalBytes } from "./connection.ts";
import { isFailedSync, toFailure } from "./errors.ts";
import { guardWal, readWalBytes, type ToError, type WalFault } from "./file.ts";
import { readPragma } from "./schema.ts";
import { openThread } from "./thread.ts";

/** Pages in the WAL that make a checkpoint due. */
const walCheckpointPages = 1_000n;

/** So many come from an import or other long work. Their checkpoint would block the event loop, so a thread does it. */
const longPages = 2_000n;
/** How often a thread begins. A reader may prevent its work. */
const threadMs = 1_000;

/**
 * `requireDatabase` throws if the database file is not the same any more, which says more than the WAL. `endReads` ends the read
 * transaction of this process, which would prevent a checkpoint. A long read prevents it too; then the next write tries again.
 *
 * A checkpoint that a reader cuts short leaves the fsync of the database file to the next one. If that fsync fails, the system drops the
 * pages of both, and SQLite writes only those of the second again: when it has begun the WAL anew, a power cut damages the database. Only
 * the first connection to a WAL writes all of it, so nothing is written until the next start.
 */
export function openWal(
	db: Database,
	path: string,
	isServing: boolean,
	requireDatabase: (toError?: ToError) => void,
	endReads: () => void,
) {
	const state = db.query<WalState, []>("PRAGMA wal_checkpoint(NOOP)");
	const full = db.query(fullCheckpoint);
	const findFault = guardWal(path, readPragma(db, "page_size"));
	let thread: Promise<boolean> | undefined;
	let isThreadless = !isServing;
	let threadAt = 0;
	let unsynced: WalFault | undefined;

	function look() {
		const { log = 0n, checkpointed = 0n } = state.get() ?? {};
		return { pages: log - checkpointed, fault: unsynced ?? findFault(log) };
	}

	function noteFailure(error: unknown): void {
		if (!isFailedSync(error) || state.get()?.checkpointed === 0n) return;
		const sentence = `a part of ${path} could not be synced: stop the service, and start it again`;
		unsynced = { isWhole: false, sentence };
	}

	function checkpointNow(): void {
		endReads();
		try {
			full.get();
		} catch (error) {
			noteFailure(error);
			throw error;
		}
	}

	/** Another process may have begun the WAL anew in the middle of a look. */
	const lookAgain = () => {
		const found = look();
		return found.fault ? look() : found;
	};

	/** Into the database file, what a WAL has that ends with this process. A broken one has nothing to save. */
	function save(fault: WalFault | undefined): void {
		if (!fault?.isWhole) return;
		try {
			checkpointNow();
		} catch {
			// The next look tries again.
		}
	}

	function findAnyFault(): WalFault | undefined {
		try {
			return lookAgain().fault;
		} catch {
			return undefined;
		}
	}

	/** Returns the pages that are not checkpointed. Throws if another program has changed the WAL: what is written then may be lost. */
	function require(toError: ToError = storeWroteNothing) {
		const { pages, fault } = lookAgain();
		if (fault === undefined) return pages;
		requireDatabase(toError);
		save(fault);
		throw toError(new Error(fault.sentence));
	}

	function beginThread(): void {
		if (performance.now() < threadAt) return;
		threadAt = performance.now() + threadMs;
		thread = checkpointInThread(path, noteFailure).catch(() => false);
		thread.then((hasRun) => {
			thread = undefined;
			setThreadless(!hasRun);
		});
	}

	/** SQLite shortens a long WAL when it begins it anew, which can take 100 ms. The thread does that, if there is one. */
	function setThreadless(now: boolean): void {
		isThreadless = now;
		db.run(`PRAGMA journal_size_limit = ${now ? idleWalBytes : -1}`);
	}
	setThreadless(isThreadless);

	return {
		require,
		/** Saves what a WAL has that somebody deleted. The next write and `/readyz` say so. */
		watch: () => save(findAnyFault()),
		/** Checkpoints if that is due. For before each write, outside of transactions. */
		checkpoint(): void {
			const pages = require();
			if (pages < walCheckpointPages || thread !== undefined) return;
			requireDatabase(storeWroteNothing);
			const isLong = pages >= longPages || readWalBytes(path) > idleWalBytes;
			if (isLong && !isThreadless) beginThread();
			else {
				checkpointNow();
				// What kept the last thread from its work may be over.
				if (isThreadless && isServing) setThreadless(false);
			}
		},
		/** When no thread is at work. */
		end: async () => void (await thread),
		/** Whether pages are missing. A checkpoint would write others in their places: even that of the last connection when it closes. */
		isBroken: () => findAnyFault()?.isWhole === false,
	};
}

/** How often the thread tries, every ten milliseconds, until nobody reads the WAL. */
const threadTries = 100;

/**
 * PASSIVE waits for nobody, and nobody for it. It does most of the work. TRUNCATE does the rest: writes wait for it, without blocking the
 * event loop as the restart of a long WAL would. Returns whether it could run.
 */
async function checkpointInThread(
	path: string,
	onFailure: (error: unknown) => void,
): Promise<boolean> {
	const own = await openThread(path).catch(() => undefined);
	if (own === undefined) return false;
	const ask = (text: string) => own.ask([{ text, values: [] }]);
	try {
		for (let tries = 0; tries < threadTries; tries++) {
			await ask(passiveCheckpoint);
			const [[found] = []] = await ask("PRAGMA wal_checkpoint(TRUNCATE)");
			const { busy }: WalState = found ?? { busy: 0n };
			if (busy === 0n) break;
			await Bun.sleep(10);
		}
		return true;
	} catch (error) {
		onFailure(error);
		return false;
	} finally {
		await own.close();
	}
}

/** How long the checkpoint of a command waits for readers. Adds wait for it. */
const commandCheckpointMs = 100;

/** Checkpoints the whole WAL after a long transaction of a command; if that fails, the service does it. */
export async function checkpointAll(
	run: (text: string) => Awaitable<void>,
): Promise<void> {
	try {
		await run(`PRAGMA busy_timeout = ${commandCheckpointMs}`);
		// Most pages without the lock of writers.
		await run(passiveCheckpoint);
		await run(fullCheckpoint);
	} catch (error) {
		// The commit is durable in the WAL, even if the disk is full.
		if (toFailure(error) === error) throw error;
	}
}

const passiveCheckpoint = "PRAGMA wal_checkpoint(PASSIVE)";
const fullCheckpoint = "PRAGMA wal_checkpoint(FULL)";

/** Pages: `log` in the WAL, `checkpointed` of them copied into the database file. Negative for a database in memory. */
interface WalState {
	/** Whether others prevented it. */
	readonly busy?: bigint;
	readonly log?: bigint;
	readonly checkpointed?: bigint;
}
