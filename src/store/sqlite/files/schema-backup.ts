// Copies a SQLite file before its migration. Where the file system can share blocks, the copy takes no room at first.
import {
	closeSync,
	constants,
	copyFileSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	utimesSync,
} from "node:fs";
import { dirname } from "node:path";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import { syncFolder } from "../../folders.ts";
import { findFile, toNames } from "./file.ts";
import { openConnection } from "./library.ts";

/**
 * Call it in a write transaction that has written nothing: then nobody writes to the file, and the WAL neither grows nor restarts. A
 * checkpoint only copies pages from the WAL, so file and WAL together are complete. Returns the path of the backup.
 */
export function backUpSchema(path: string, version: number): string {
	const { target, wal } = toNames(path);
	const [file, log] = [findFile(target), findFile(wal)];
	const hasLog = log !== undefined && log.size > 0;
	const writtenAt = Math.max(file?.mtimeMs ?? 0, hasLog ? log.mtimeMs : 0);
	for (let number = 1; ; number++) {
		const count = number === 1 ? "" : `.${number}`;
		const name = `${target}.schema-${version}${count}.backup`;
		const found = findFile(name);
		// A backup with the same time has the same content: a killed start made it, or the file was restored from it.
		if (found && Math.trunc(found.mtimeMs) === Math.trunc(writtenAt))
			return name;
		if (found) continue;
		makeCopy({ target, wal: hasLog ? wal : undefined, name, writtenAt });
		return name;
	}
}

interface Copy {
	readonly target: string;
	readonly wal: string | undefined;
	readonly name: string;
	readonly writtenAt: number;
}

/** Under another name until it is complete. Only one process does this at a time. */
function makeCopy({ target, wal, name, writtenAt }: Copy): void {
	const partial = `${name}.partial`;
	const remove = () => {
		for (const end of ["", "-wal", "-shm", "-journal"])
			rmSync(partial + end, { force: true });
	};
	try {
		remove();
		copyFileSync(target, partial, constants.COPYFILE_FICLONE);
		if (wal !== undefined) copyFileSync(wal, `${partial}-wal`);
		const copy = openConnection(partial, { readwrite: true });
		// Moves its WAL into the file.
		copy.run("PRAGMA journal_mode = DELETE");
		copy.close();
		const file = openSync(partial, "r+");
		fsyncSync(file);
		closeSync(file);
		utimesSync(partial, writtenAt / 1_000, writtenAt / 1_000);
		renameSync(partial, name);
		syncFolder(dirname(name));
	} catch (error) {
		try {
			remove();
		} catch {}
		throw new OperatorError(
			`The database ${target} must be migrated, and its backup ${name} cannot be made: ${toReason(error)}. Nothing was changed.`,
		);
	}
}
