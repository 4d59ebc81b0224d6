// A SQLite file for commands that only read. Neither the file nor its WAL is changed. Each command loads only what it uses.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { sqliteStartLockMs } from "../../limits.ts";
import { openSharedReads, type StoreReader } from "../store.ts";
import {
	connectionOptions,
	retryWhileBusy,
	setLockTimeout,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { orOperatorError } from "./errors.ts";
import { ensureFile, toNames } from "./files/file.ts";
import { requireSafeWal } from "./files/library.ts";
import { prepareReads } from "./requests/reads.ts";
import { requireMark, requireSchema } from "./schema.ts";
import { toReads } from "./sql.ts";

export function openSqliteReader(path: string): StoreReader {
	ensureFile(path, false);
	requireMark(path);
	const db = orOperatorError(path, () => open(path));
	// For each call: a missing table or index must not keep `check` from reporting it.
	const prepare = () => prepareReads(db);
	return {
		...openSharedReads(toReads(db)),
		catalogue: {
			listPets: (page) => retryWhileBusy(() => prepare().listPets(page)),
			getPet: (id) => retryWhileBusy(() => prepare().getPet(id)),
			countPets: (range) => retryWhileBusy(() => prepare().countPets(range)),
			countCategories: (range) =>
				retryWhileBusy(() => prepare().countCategories(range)),
		},
		archive: {
			async *read() {
				const { readArchive } = await import("./archive/archive.ts");
				yield* readArchive(db);
			},
		},
		async check() {
			const { checkDatabase } = await import("./archive/check.ts");
			return checkDatabase(db);
		},
		exports: {
			async open(filter) {
				const { openSnapshot } = await import("./archive/export.ts");
				return openSnapshot(db, path, filter);
			},
		},
		describe: async () => describeDatabase(db, path),
		close: async () => db.close(),
	};
}

function open(path: string): Database {
	const db = connectToRead(path);
	try {
		if (hasWal(db)) requireSafeWal();
		requireSchema(db, path);
		db.run("PRAGMA query_only = ON");
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/**
 * The last connection to close checkpoints and removes the WAL, if it may write. So a file with a WAL is opened read-only. Without a WAL,
 * this connection creates an empty one and removes it when it closes.
 */
function connectToRead(path: string): Database {
	const { readwrite: _, ...options } = connectionOptions;
	const db = existsSync(toNames(path).wal)
		? new Database(path, { ...options, readonly: true })
		: new Database(path, connectionOptions);
	setLockTimeout(db, sqliteStartLockMs);
	return db;
}

/** False for a backup. */
function hasWal(db: Database): boolean {
	const [[mode] = []] = db.query("PRAGMA journal_mode").values();
	return mode === "wal";
}
