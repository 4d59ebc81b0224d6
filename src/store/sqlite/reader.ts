// A SQLite file for commands that only read. Neither the file nor its WAL is changed.
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { sqliteStartLockMs } from "../../limits.ts";
import type { StoreReader } from "../store.ts";
import { readOnline } from "./archive/online.ts";
import { readParts } from "./archive/read.ts";
import { checkDatabase } from "./check.ts";
import { connectionOptions, setLockTimeout } from "./database.ts";
import { describeDatabase } from "./description.ts";
import { orOperatorError } from "./errors.ts";
import { openSnapshot } from "./export.ts";
import { ensureFile } from "./file.ts";
import { toNames } from "./file-names.ts";
import { readImports } from "./import.ts";
import { listKeys } from "./keys.ts";
import { openConnection, requireSafeWal } from "./library.ts";
import { prepareReads } from "./reads.ts";
import { requireNewest } from "./schema.ts";
import { readUsage } from "./usage.ts";

export function openSqliteReader(path: string): StoreReader {
	ensureFile(path, false);
	const db = orOperatorError(path, () => connectToNewest(path));
	return {
		catalogue: prepareReads(db),
		keys: { list: async () => listKeys(db) },
		usage: { read: (query) => readUsage(db, query) },
		archive: {
			async *read() {
				yield* readParts(db);
			},
			readOnline: (options) => readOnline(db, options),
		},
		check: () => checkDatabase(db),
		imports: readImports(db),
		exports: { open: (filter) => openSnapshot(db, path, filter, () => {}) },
		describe: async () => describeDatabase(db, path),
		close: async () => db.close(),
	};
}

function connectToNewest(path: string): Database {
	const db = connectToRead(path);
	try {
		if (hasWal(db)) requireSafeWal();
		requireNewest(db, path);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/**
 * The last connection to close checkpoints and removes the WAL if it may write. So a WAL that is there is read without that right and
 * stays; one that this connection creates is empty, and is removed when it closes.
 */
function connectToRead(path: string): Database {
	const { readwrite: _, ...options } = connectionOptions;
	const db = existsSync(toNames(path).wal)
		? openConnection(path, { ...options, readonly: true })
		: openConnection(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	db.run("PRAGMA query_only = ON");
	return db;
}

/** A backup has none. */
function hasWal(db: Database): boolean {
	const [[mode] = []] = db.query("PRAGMA journal_mode").values();
	return mode === "wal";
}
