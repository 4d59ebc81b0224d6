// The embedded engine: one SQLite file, or a database in memory.
import type { Database } from "bun:sqlite";
import { sqliteCleanUpRows } from "../../limits.ts";
import { toImports } from "../archive/import.ts";
import type { EngineRow, SqlRequests } from "../archive/tables.ts";
import { openFeed } from "../feed.ts";
import { type OwnKeys, openKeys, toFindKeys, toFoundKey } from "../keys.ts";
import {
	defaultMemoryBytes,
	openSharedParts,
	type Store,
	type StoreOptions,
} from "../store.ts";
import { summing } from "../usage/requests.ts";
import { openArchive, toTransact } from "./archive/archive.ts";
import { openExports } from "./archive/export.ts";
import { openDatabase, retryWhileBusy, setLockTimeout } from "./database.ts";
import { describeDatabase } from "./description.ts";
import { readHorizon } from "./feed/epoch.ts";
import { openDataVersion } from "./files/data-version.ts";
import { memory } from "./files/file.ts";
import { guardFile } from "./files/file-guard.ts";
import { openCatalogue } from "./requests/catalogue.ts";
import { openReads, prepareReads } from "./requests/reads.ts";
import { openWriter } from "./requests/writer/placement.ts";
import { createWriter } from "./requests/writer/writer.ts";
import { toReads, toSqliteText } from "./sql.ts";

/** Takes a path or `:memory:`. Without `create`, the file must exist. */
export function openSqlite(path: string, options: StoreOptions): Store {
	const { memoryBytes = defaultMemoryBytes, keepsHistory = true } = options;
	const db = openDatabase(path, options.create, options.onMigration);
	const { reads, writer, requireSame, close } =
		path === memory
			? openInMemory(db)
			: openOnDisk(db, path, memoryBytes - defaultMemoryBytes);
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");

	const requests: SqlRequests = {
		read: toReads(db),
		write: (...statement) => writer.write("runSql", ...statement),
	};
	const findKey = db.query<EngineRow, [string]>(
		toSqliteText(toFindKeys("= $1")),
	);
	const ownKeys: OwnKeys = {
		add: (key) => writer.write("addKey", key),
		rotate: (id, secret) => writer.write("rotateKey", id, secret),
		delete: (id) => writer.write("deleteKey", id),
		find: (hash) =>
			retryWhileBusy(() => {
				const row = findKey.get(hash);
				return row === null ? undefined : toFoundKey(row);
			}),
	};
	const readSnapshot: SqlRequests["read"] = (...statement) =>
		retryWhileBusy(() => reads.readSql(...statement));
	const store: Store = {
		...openSharedParts(requests, openKeys(requests, ownKeys, ""), {
			...{ summing: summing.sqlite, cleanUpRows: sqliteCleanUpRows },
		}),
		catalogue: openCatalogue(reads, writer, keepsHistory, options.onAddBatch),
		feed: openFeed(readSnapshot, () => readHorizon(readSnapshot)),
		archive: openArchive(db, path),
		imports: toImports(requests.read, toTransact(db, path), keepsHistory),
		exports: openExports(db, path, requireSame),
		describe: () => retryWhileBusy(() => describeDatabase(db, path)),
		async ping() {
			requireSame();
			await retryWhileBusy(() => ping.get());
		},
		close,
	};
	setLockTimeout(db, 0);
	return store;
}

function openOnDisk(db: Database, path: string, mappedBytes: number) {
	const file = guardFile(path);
	const dataVersion = openDataVersion(path);
	// Every read calls this, so it checks the files too.
	const version = () => {
		file.requireSeenSame();
		return dataVersion.read();
	};
	const { reads, endSnapshot, close } = openReads(path, version, mappedBytes);
	const writer = openWriter(db, path, file, endSnapshot);
	return {
		reads,
		writer,
		/** Throws `unavailable` if the files of the database were deleted or replaced. */
		requireSame: () => file.requireSame(),
		async close() {
			await writer.close();
			close();
			dataVersion.close();
			db.close();
		},
	};
}

/** A database in memory belongs to one connection, has no WAL and waits for no disk. */
function openInMemory(db: Database) {
	return {
		reads: prepareReads(db),
		writer: createWriter(db, guardFile(memory)),
		requireSame() {},
		close: async () => db.close(),
	};
}
