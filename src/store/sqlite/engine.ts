// The embedded engine: one SQLite file, or a database in memory.
import type { Database } from "bun:sqlite";
import { sqliteCleanUpRows } from "../../limits.ts";
import { toImports } from "../archive/import.ts";
import type { EngineRow, SqlRequests } from "../archive/tables.ts";
import { toArchiveWrites } from "../archive/write.ts";
import { openFeed } from "../feed.ts";
import { keyColumns, openKeys, toKey } from "../keys.ts";
import { openSharedParts, type Store, type StoreOptions } from "../store.ts";
import { openArchiveReader, toTransact } from "./archive/archive.ts";
import { openExports } from "./archive/export.ts";
import { openDatabase, retryWhileBusy, setLockTimeout } from "./database.ts";
import { describeDatabase } from "./description.ts";
import { orOperatorError, toOperatorError } from "./errors.ts";
import { readHorizon } from "./feed/epoch.ts";
import { openDataVersion } from "./files/data-version.ts";
import { memory } from "./files/file.ts";
import { type FileGuard, guardFile } from "./files/file-guard.ts";
import { openCatalogue } from "./requests/catalogue.ts";
import { preparePetTransactions } from "./requests/pet-transactions.ts";
import { openReads, prepareReads } from "./requests/reads.ts";
import { createWriter } from "./requests/writer.ts";
import { toSql } from "./sql.ts";

/** Takes a path or `:memory:`. Without `create`, the file must exist. */
export async function openSqlite(
	path: string,
	options: StoreOptions,
): Promise<Store> {
	const db = orOperatorError(path, () => openDatabase(path, options.create));
	try {
		return open(db, path, options);
	} catch (error) {
		// A statement that cannot be prepared shows that a table is missing.
		db.close();
		throw toOperatorError(path, error);
	}
}

function open(db: Database, path: string, options: StoreOptions): Store {
	const { keepsHistory = true } = options;
	const guard = guardFile(path);
	const { reads, write, close } =
		path === memory ? openInMemory(db, guard) : openOnDisk(db, path, guard);
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");

	const sql = toSql(db);
	const requests: SqlRequests = {
		read: (...statement) => retryWhileBusy(() => sql(...statement)),
		write: (...statement) => write(() => sql(...statement)),
	};
	const findKey = db.query<EngineRow, [string]>(
		`SELECT ${keyColumns} FROM keys WHERE hash = ?`,
	);
	const keys = openKeys(requests, (hash) =>
		retryWhileBusy(() => {
			const row = findKey.get(hash);
			return row === null ? undefined : toKey(row);
		}),
	);
	const transact = toTransact(db, path, guard);
	const readSnapshot: SqlRequests["read"] = (...statement) =>
		retryWhileBusy(() => reads.readSql(...statement));
	const store: Store = {
		...openSharedParts(requests, keys, sqliteCleanUpRows),
		catalogue: openCatalogue(
			reads,
			write,
			preparePetTransactions(db),
			keepsHistory,
		),
		feed: openFeed(
			({ text }, values) => readSnapshot(text, values),
			() => readHorizon(readSnapshot),
		),
		archive: {
			...openArchiveReader(db, path, guard),
			...toArchiveWrites(transact),
		},
		imports: toImports(requests.read, transact, keepsHistory),
		exports: openExports(db, path, guard),
		describe: () => retryWhileBusy(() => describeDatabase(db, path)),
		async ping() {
			guard();
			await retryWhileBusy(() => ping.get());
		},
		close,
	};
	setLockTimeout(db, 0);
	return store;
}

function openOnDisk(db: Database, path: string, guard: FileGuard) {
	const dataVersion = openDataVersion(path);
	const { reads, endSnapshot, close } = openReads(path, dataVersion.read);
	return {
		reads,
		write: createWriter(db, guard, endSnapshot),
		async close() {
			close();
			dataVersion.close();
			db.close();
		},
	};
}

/** A database in memory belongs to one connection, has no WAL and waits for no disk. */
function openInMemory(db: Database, guard: FileGuard) {
	return {
		reads: prepareReads(db),
		write: createWriter(db, guard),
		close: async () => db.close(),
	};
}
