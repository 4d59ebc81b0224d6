// Sees whether the files of a database are still those that were opened. Another program may delete, replace or overwrite them, and
// SQLite would not notice: it would write where no other process looks, or mix the pages of two databases.
import { copyFileSync, renameSync, rmSync } from "node:fs";
import { type StoreFailure, storeWroteNothing } from "../../contract/errors.ts";
import { databaseFileCheckMs } from "../../limits.ts";
import type { FileGuard } from "./file-guard.ts";
import {
	findFile,
	type Names,
	toIdentity,
	toNames,
	toRealPath,
} from "./file-names.ts";
import { isMarkedOverwritten, setMark } from "./stale-wal.ts";
import type { Checkpoints } from "./wal-index.ts";

export interface DatabaseFile extends FileGuard {
	/** Throws if they were others at the last look, which was at most `databaseFileCheckMs` ago. */
	readonly requireSeenSame: () => void;
	/** Calls `report` when it finds a change, also while there are no requests. */
	readonly onChange: (report: (failure: StoreFailure) => void) => void;
	/** Stops looking. Must be called before the connections are closed. */
	readonly close: () => void;
}

/**
 * Call it when the database has its WAL. Only checkpoints write to the database file, so `readCheckpoints` tells whether a change of
 * the file was one. Where it returns undefined, a file that is overwritten in place is not noticed.
 */
export function watchDatabaseFile(
	path: string,
	readCheckpoints: () => Checkpoints | undefined,
): DatabaseFile {
	const names = toNames(path);
	const opened = readState(names, readCheckpoints);
	/** The state at the last look that found the same file. */
	let last = opened;
	let isOverwritten = false;
	let problem: string | undefined;
	let report = (_failure: StoreFailure) => {};
	let isClosed = false;

	function look(): void {
		// SQLite removes the WAL when it closes.
		if (isClosed) return;
		const current = readState(names, readCheckpoints);
		if (current.file === opened.file) {
			isOverwritten ||=
				wasOverwritten(last, current, readCheckpoints()) ||
				isMarkedOverwritten(names.mark);
			last = current;
		}
		const found = isOverwritten
			? `${path} was changed by another program: restart the service, and follow what it says`
			: findChange(names, opened, current);
		if (found === problem) return;
		problem = found;
		const isReplaced = isOverwritten || current.file !== opened.file;
		const isWalStale = isReplaced && current.wal === opened.wal;
		const owner = isOverwritten ? "" : `${opened.file}`;
		setMark(names.mark, isWalStale ? owner : undefined);
		if (found !== undefined) report(storeWroteNothing(new Error(found)));
	}

	function requireSeenSame(toFailure = storeWroteNothing): void {
		if (problem !== undefined) throw toFailure(new Error(problem));
	}

	const timer = setInterval(look, databaseFileCheckMs);
	timer.unref();
	return {
		requireSame(toFailure) {
			look();
			requireSeenSame(toFailure);
		},
		requireSeenSame: () => requireSeenSame(),
		onChange(next) {
			report = next;
		},
		close() {
			clearInterval(timer);
			look();
			isClosed = true;
			if (isOverwritten) giveNewInode(path);
		},
	};
}

interface State {
	/** Device and inode of each file, or undefined if it is not there. */
	readonly file: string | undefined;
	readonly wal: string | undefined;
	readonly shm: string | undefined;
	/** Time and size of the database file. */
	readonly written: string;
	/** Read before the others. A checkpoint in between shows as a difference at the next look. */
	readonly checkpoints: Checkpoints | undefined;
}

const kinds = ["file", "wal", "shm"] as const;

function readState(
	names: Names,
	readCheckpoints: () => Checkpoints | undefined,
): State {
	const checkpoints = readCheckpoints();
	const file = findFile(names.file);
	return {
		file: toIdentity(file),
		wal: toIdentity(findFile(names.wal)),
		shm: toIdentity(findFile(names.shm)),
		written: `${file?.mtimeMs} ${file?.size}`,
		checkpoints,
	};
}

/** Whether the file was written by something else than a checkpoint. `checkpoints` must be read after `current`. */
function wasOverwritten(
	last: State,
	current: State,
	checkpoints: Checkpoints | undefined,
): boolean {
	return (
		current.written !== last.written &&
		checkpoints !== undefined &&
		checkpoints.version === last.checkpoints?.version &&
		!checkpoints.isRunning
	);
}

function findChange(
	names: Names,
	opened: State,
	current: State,
): string | undefined {
	const changed = kinds.find((kind) => current[kind] !== opened[kind]);
	if (changed === undefined) return undefined;
	const what =
		current[changed] === undefined
			? "is gone"
			: "is another file than the one that was opened";
	return `${names[changed]} ${what}: put the old one back, or restart the service and follow what it says`;
}

/**
 * When SQLite closes its last connection it runs a checkpoint, unless the file at the path is not the one that it has open. Without
 * this, that checkpoint would write pages of the old database into the new one.
 */
function giveNewInode(path: string): void {
	const copy = `${toRealPath(path)}-copy-${process.pid}`;
	try {
		copyFileSync(path, copy);
		renameSync(copy, toRealPath(path));
	} catch {
		// The disk is full, or the file has just gone.
		rmSync(copy, { force: true });
	}
}
