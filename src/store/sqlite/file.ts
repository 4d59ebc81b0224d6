// The file of a SQLite database: creating it, the library that opens it, and noticing that another program has replaced it.
import { Database } from "bun:sqlite";
import {
	accessSync,
	closeSync,
	constants,
	mkdirSync,
	openSync,
	realpathSync,
	type Stats,
	statSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import {
	type Failure,
	OperatorError,
	storeUnavailable,
	toReason,
} from "../../domain/errors.ts";
import { memory } from "../database/database-url.ts";
import { type Access, isWriting } from "../database/engine.ts";

/** SQLite names the files beside a database after the target of a symbolic link. */
export function toNames(path: string) {
	let target = path;
	try {
		target = realpathSync(path);
	} catch {
		// It does not exist yet.
	}
	return { wal: `${target}-wal`, shm: `${target}-shm` };
}

/** A file that cannot be read, for example because its folder was replaced, counts as missing. */
function findFile(name: string): Stats | undefined {
	try {
		return statSync(name, orUndefined);
	} catch {
		return undefined;
	}
}

/** Made once: each commit looks. */
const orUndefined = { throwIfNoEntry: false } as const;

/** 0 for a database in memory. */
export function readWalBytes(path: string): number {
	return path === memory ? 0 : (findFile(toNames(path).wal)?.size ?? 0);
}

/** SQLite would create the file readable for all users. It gives the WAL the permissions of the file. */
export function prepareFile(path: string, access: Access): void {
	// Read before the file, which another process may be creating.
	const walBytes = readWalBytes(path);
	try {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory())
			throw new OperatorError(
				`The database ${path} is a folder; name a file in it.`,
			);
		if (walBytes > 0 && !found?.size) throw refuseWal(path, found);
		if (found === undefined && access !== "create")
			throw new OperatorError(`No database at ${path}; check the path.`);
		if (found === undefined) {
			mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
			closeSync(openSync(path, "a", 0o600));
		}
		// SQLite opens a file that it may only read, and fails at the first write.
		const { R_OK, W_OK } = constants;
		accessSync(path, isWriting(access) ? R_OK | W_OK : R_OK);
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		throw new OperatorError(
			`The database ${path} cannot be opened: ${toReason(error)}.`,
		);
	}
}

/** SQLite would delete the WAL of a file that is missing or empty, and the newest animals with it. */
function refuseWal(path: string, file: Stats | undefined): OperatorError {
	const { wal, shm } = toNames(path);
	return new OperatorError(
		`The database ${path} is ${file ? "empty" : "missing"}, but its write-ahead log ${basename(wal)} has data. Put the file back; or, to begin with another one, stop the service and move ${basename(wal)} and ${basename(shm)} away.`,
	);
}

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed writes when it resets the WAL (https://sqlite.org/wal.html#walresetbug). Two of its older
 * branches have the fix too. Bun has its own SQLite on Linux; on macOS it loads Apple's, which is older.
 */
export function requireSafeWal(version = readLibraryVersion()): void {
	if (Bun.semver.satisfies(version, ">=3.51.3 || ~3.50.7 || ~3.44.6")) return;
	throw new OperatorError(
		`SQLite ${version} can lose committed writes to a file, and 3.51.3 or later is needed; run the service on Linux, where Bun has its own SQLite, or use PostgreSQL or sqlite::memory:.`,
	);
}

/** In memory, so that a refused start creates no file. */
export function readLibraryVersion(): string {
	using db = new Database(memory);
	const [[version] = []] = db.query("SELECT sqlite_version()").values();
	return String(version);
}

/** What another program has done to an open file; undefined if it is the same as before. */
function toFault(before: Stats | undefined, now: Stats | undefined) {
	if (before === undefined) return undefined;
	if (now === undefined) return "was deleted";
	if (now.ino !== before.ino || now.dev !== before.dev) return "was replaced";
	if (now.uid !== before.uid) return "belongs to another user now";
	// Its owner may read and write it no longer.
	if (before.mode & ~now.mode & 0o600) return "has lost permissions";
	return undefined;
}

/** SQLite itself may shorten a file. One that it cannot read any more is damaged. */
function isShortened(
	before: Stats | undefined,
	now: Stats | undefined,
	readBytes: () => number,
): boolean {
	const size = now?.size ?? 0;
	if (size >= (before?.size ?? 0)) return false;
	try {
		return size < readBytes();
	} catch {
		return true;
	}
}

export type ToError = (cause: Error) => Failure;

/**
 * Call it when the database is open. The result throws `unavailable` if the path no longer names that file: SQLite would write on to a file
 * that nobody can open. `readBytes` gives the size of the database.
 */
export function guardFile(
	path: string,
	readBytes: () => number,
): (toError?: ToError) => void {
	if (path === memory) return () => {};
	let known = findFile(path);
	return (toError = storeUnavailable) => {
		const current = findFile(path);
		const fault = toFault(known, current);
		if (fault === undefined && !isShortened(known, current, readBytes)) {
			known = current;
			return;
		}
		const { wal, shm } = toNames(path);
		const files = `${basename(wal)} and ${basename(shm)}`;
		const putBack = `put the old file back; or, to use another file, stop the service, move ${files} away if they are left, and start it again`;
		throw toError(
			new Error(
				fault === undefined
					? `${path} was shortened, and is damaged: stop the service, and restore a backup into a new file`
					: `${path} ${fault}: ${current?.ino === known?.ino ? "give it its former owner and permissions" : putBack}`,
			),
		);
	};
}

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/** A fault of the write-ahead log, as a sentence. */
export interface WalFault {
	/** Whether the connections that are open can still read all of it. */
	readonly isWhole: boolean;
	readonly sentence: string;
}

/** The same for the write-ahead log. The result gets the number of its pages. */
export function guardWal(
	path: string,
	pageBytes: number,
): (pages: bigint) => WalFault | undefined {
	if (path === memory) return () => undefined;
	const { wal } = toNames(path);
	const opened = findFile(wal);
	return (pages) => {
		const current = findFile(wal);
		const fault = toFault(opened, current);
		if (fault !== undefined)
			return {
				isWhole: true,
				sentence: `${wal} ${fault}: put it back as it was; or stop the service, move any ${basename(wal)} away, and start it again`,
			};
		const bytes =
			walHeaderBytes + Number(pages) * (frameHeaderBytes + pageBytes);
		if (pages <= 0n || (current?.size ?? 0) >= bytes) return undefined;
		return {
			isWhole: false,
			sentence: `${wal} was shortened, and the newest changes are lost: stop the service, and start it again or restore a backup`,
		};
	};
}
