// Copies a SQLite file before its migration. Where the file system can share blocks, the copy takes no room at first.
import {
	closeSync,
	constants,
	copyFileSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	utimesSync,
} from "node:fs";
import { dirname } from "node:path";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import { syncFile, syncFolder } from "../../folders.ts";
import { findFile, toNames } from "./file.ts";
import { openConnection } from "./library.ts";

/**
 * Call it in a write transaction that has written nothing: then nobody writes to the file, and the WAL neither grows nor restarts. A
 * checkpoint only copies pages from the WAL, so file and WAL together are complete. Returns the path of the backup.
 */
export function backUpSchema(path: string, version: number): string {
	const { target, wal } = toNames(path);
	const [file, walFile] = [findFile(target), findFile(wal)];
	const hasWal = walFile !== undefined && walFile.size > 0;
	const writtenAt = Math.max(file?.mtimeMs ?? 0, hasWal ? walFile.mtimeMs : 0);
	const source = { target, wal: hasWal ? wal : undefined, writtenAt };
	let last: string | undefined;
	for (let number = 1; ; number++) {
		const count = number === 1 ? "" : `.${number}`;
		const name = `${target}.schema-${version}${count}.backup`;
		const found = findFile(name);
		// A backup with the same time has the same content: a killed start made it, or the file was restored from it.
		if (found && Math.trunc(found.mtimeMs) === Math.trunc(writtenAt))
			return name;
		if (found === undefined) return makeCopy(source, name, last);
		last = name;
	}
}

interface Source {
	readonly target: string;
	readonly wal: string | undefined;
	readonly writtenAt: number;
}

/** Under another name until it is complete. Only one process does this at a time. Returns its path, or that of an equal backup before it. */
function makeCopy(
	{ target, wal, writtenAt }: Source,
	name: string,
	last: string | undefined,
): string {
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
		// A start that was killed during its migration has written only to the WAL, and without a commit.
		if (last !== undefined && hasSameBytes(partial, last)) {
			remove();
			return last;
		}
		syncFile(partial);
		utimesSync(partial, writtenAt / 1_000, writtenAt / 1_000);
		renameSync(partial, name);
		syncFolder(dirname(name));
		return name;
	} catch (error) {
		try {
			remove();
		} catch {}
		throw new OperatorError(
			`The database ${target} must be migrated, and its backup ${name} cannot be made: ${toReason(error)}. Nothing was changed.`,
		);
	}
}

function hasSameBytes(one: string, other: string): boolean {
	const [first, second] = [openSync(one, "r"), openSync(other, "r")];
	const [own, others] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
	try {
		for (;;) {
			const [length, otherLength] = [
				readSync(first, own),
				readSync(second, others),
			];
			if (length !== otherLength || !own.equals(others)) return false;
			if (length === 0) return true;
		}
	} finally {
		closeSync(first);
		closeSync(second);
	}
}
