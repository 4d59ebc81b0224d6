// The files of a database: their names, and what tells one file from another.
import { realpathSync, type Stats, statSync } from "node:fs";

/** The path of a database in memory. */
export const memory = ":memory:";

/** SQLite names the files beside a database after the file that a symbolic link leads to. */
export function toNames(path: string) {
	const target = toRealPath(path);
	return {
		file: path,
		wal: `${target}-wal`,
		shm: `${target}-shm`,
		/** See stale-wal.ts. */
		mark: `${target}-replaced`,
	};
}

export type Names = ReturnType<typeof toNames>;

export function toRealPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** A file that cannot be looked at, for example because its folder is another one now, counts as gone. */
export function findFile(name: string): Stats | undefined {
	try {
		return statSync(name, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** Device and inode; undefined if it is not there. */
export function toIdentity(file: Stats | undefined): string | undefined {
	return file && `${file.dev} ${file.ino}`;
}
