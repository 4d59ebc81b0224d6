// Backups: SQLite files that are written once, and read as any other of our files.
import { copyFileSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Part } from "../archive.ts";
import { removeFolder } from "../temporary-folder.ts";
import { writeParts } from "./archive/write.ts";
import { connectionOptions, openDatabase } from "./database.ts";
import { orOperatorError } from "./errors.ts";
import { ensureFile } from "./file.ts";
import { openConnection } from "./library.ts";
import { migrate, readVersion } from "./schema.ts";

/** Into an empty file. What fails leaves a file that is of no use. */
export async function writeBackupFile(
	path: string,
	parts: AsyncIterable<Part>,
): Promise<void> {
	const db = openConnection(path, connectionOptions);
	try {
		// The file has its final name only after it was synced as a whole, so it needs no syncs before that, and no journal. Bun's SQLite
		// refuses OFF; in memory the journal has only the pages of the empty tables.
		db.run("PRAGMA journal_mode = MEMORY");
		db.run("PRAGMA synchronous = OFF");
		migrate(db, path);
		await writeParts(db, () => true, parts);
	} finally {
		db.close();
	}
}

/** A file with the newest schema: the backup itself or, if that is older, a temporary copy of it that was migrated. */
export function toNewestFile(path: string): {
	path: string;
	remove: () => void;
} {
	ensureFile(path, false);
	if (!isOlder(path)) return { path, remove() {} };
	const folder = mkdtempSync(join(tmpdir(), "petstore-restore-"));
	const remove = () => removeFolder(folder);
	process.once("exit", remove);
	const copy = join(folder, "petstore.db");
	try {
		for (const end of ["", "-wal"])
			if (existsSync(path + end)) copyFileSync(path + end, copy + end);
		openDatabase(copy, false).close();
		return { path: copy, remove };
	} catch (error) {
		remove();
		throw error;
	}
}

function isOlder(path: string): boolean {
	return orOperatorError(path, () => {
		const { readwrite: _, ...options } = connectionOptions;
		const db = openConnection(path, { ...options, readonly: true });
		try {
			const { version, newest } = readVersion(db, path);
			return version > 0 && version < newest;
		} finally {
			db.close();
		}
	});
}
