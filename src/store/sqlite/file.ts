// Finds the file of a database, or creates it.
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
import { OperatorError, toReason } from "../../contract/errors.ts";
import { requireOwnWal } from "./stale-wal.ts";

/**
 * SQLite would create the file readable for all users. It gives the WAL the permissions of the file. The target of a symbolic link is
 * created too, but not its folder, which may be on a disk that is not mounted.
 */
export function ensureFile(path: string, create: boolean): void {
	requireOwnWal(path);
	try {
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory())
			throw new OperatorError(
				`The database ${path} is a folder; name a file in it.`,
			);
		if (found !== undefined) return;
		if (!create) throw new OperatorError(`There is no database at ${path}.`);
		// The whole path: on Windows Bun takes "." for a file (https://github.com/oven-sh/bun/pull/38084).
		mkdirSync(resolve(dirname(path)), { recursive: true, mode: 0o700 });
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
