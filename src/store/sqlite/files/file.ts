// The files of a SQLite database: their names, and creating the first.
import {
	accessSync,
	closeSync,
	constants,
	mkdirSync,
	openSync,
	readlinkSync,
	realpathSync,
	type Stats,
	statSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { OperatorError, toReason } from "../../../domain/errors.ts";

export const memory = ":memory:";

/** SQLite names the files beside a database after the target of a symbolic link. */
export function toNames(path: string) {
	const target = toRealPath(path);
	return { file: path, target, wal: `${target}-wal`, shm: `${target}-shm` };
}

function toRealPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return toTarget(path) ?? path;
	}
}

/** The target of a symbolic link, even if it does not exist. */
function toTarget(path: string): string | undefined {
	try {
		return resolve(realpathSync(dirname(path)), readlinkSync(path));
	} catch {
		return undefined;
	}
}

/** A file that cannot be read, for example because its folder was replaced, counts as missing. */
export function findFile(name: string): Stats | undefined {
	try {
		return statSync(name, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** 0 for a database in memory. */
export function readWalBytes(path: string): number {
	return path === memory ? 0 : (findFile(toNames(path).wal)?.size ?? 0);
}

/**
 * SQLite would create the file readable for all users. It gives the WAL the permissions of the file. Also creates the target of a symbolic
 * link, but not its folder, which may be on an unmounted disk.
 */
export function ensureFile(path: string, create: boolean): void {
	// Read before the file, which another process may be creating.
	const walBytes = readWalBytes(path);
	try {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory())
			throw new OperatorError(
				`The database ${path} is a folder; name a file in it.`,
			);
		if (walBytes > 0 && !found?.size) throw refuseWal(path, found);
		if (found !== undefined) return;
		if (!create)
			throw new OperatorError(`No database at ${path}; check the path.`);
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

/** SQLite opens a file that it may only read, and fails at the first write. */
export function requireWritable(path: string): void {
	try {
		accessSync(path, constants.W_OK);
	} catch (error) {
		throw new OperatorError(
			`The database ${path} cannot be written: ${toReason(error)}.`,
		);
	}
}

/** SQLite would delete the WAL of a file that is missing or empty, and the newest animals with it. */
function refuseWal(path: string, file: Stats | undefined): OperatorError {
	const wal = basename(toNames(path).wal);
	return new OperatorError(
		`The database ${path} is ${file ? "empty" : "missing"}, but its write-ahead log ${wal} has data. Put the file back, or delete ${wal} to begin with an empty database.`,
	);
}

function requireTargetFolder(path: string): void {
	const target = toTarget(path);
	if (target === undefined) return;
	if (statSync(dirname(target), { throwIfNoEntry: false }) === undefined)
		throw new OperatorError(
			`The database ${path} is a symbolic link to ${target}, whose folder does not exist; create the folder, or correct the link.`,
		);
}
