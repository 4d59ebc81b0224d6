// A WAL beside a file that it does not belong to. SQLite would write its pages into that file. So while there is one, there is also a
// file `-replaced`, the mark, and the database is not opened.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { OperatorError } from "../../contract/errors.ts";
import { findFile, toIdentity, toNames } from "./file-names.ts";

/** Throws if there is a mark, unless the file that the WAL belongs to is back. */
export function requireOwnWal(path: string): void {
	const names = toNames(path);
	const marked = readMark(names.mark);
	if (marked === undefined) return;
	const file = toIdentity(findFile(path));
	if (file === marked) {
		// It is back as it was.
		setMark(names.mark, undefined);
		return;
	}
	const [wal, shm, mark] = [names.wal, names.shm, names.mark].map((name) =>
		basename(name),
	);
	throw new OperatorError(
		file === undefined
			? `${path} was removed while a service used it, and its write-ahead log is still there. Stop the service, then put the file back, or delete ${wal}, ${shm} and ${mark} to begin with an empty database.`
			: `${path} was replaced or changed while a service used it. Stop the service, then delete ${mark} if it is still the same database, or delete ${wal}, ${shm} and ${mark} if it is another one. What is only in the write-ahead log ${wal} is lost then.`,
	);
}

/** Removes the mark, or makes one with the identity of the WAL's own file. It is empty if that was overwritten, and so is nowhere. */
export function setMark(mark: string, owner: string | undefined): void {
	try {
		if (owner === undefined) rmSync(mark, { force: true });
		else writeFileSync(mark, owner, { mode: 0o600 });
	} catch {
		// If it cannot be written, a later start is not warned.
	}
}

/** Whether another process of the service has seen that the file was overwritten. A checkpoint at the same moment may have hidden it from this one. */
export function isMarkedOverwritten(mark: string): boolean {
	return findFile(mark)?.size === 0;
}

function readMark(mark: string): string | undefined {
	try {
		return readFileSync(mark, "utf8");
	} catch {
		return undefined;
	}
}
