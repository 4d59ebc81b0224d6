// The embedded engine: one SQLite file, or a database in memory.
import type { Database } from "bun:sqlite";
import { sqliteCleanUpRows } from "../../limits.ts";
import { openBackups } from "../archive/backups.ts";
import type { SqlRequests } from "../archive/tables.ts";
import { openCategories } from "../categories.ts";
import type { Exports } from "../export.ts";
import { openHistory } from "../history/history.ts";
import { openSessions } from "../sessions.ts";
import type { Store, StoreOptions } from "../store.ts";
import { openArchive, openImports } from "./archive/archive.ts";
import { openExports } from "./archive/export.ts";
import {
	openDatabase,
	readOrRetry,
	retryWhileBusy,
	setLockTimeout,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { openDataVersion } from "./files/data-version.ts";
import { memory } from "./files/file.ts";
import { guardFile } from "./files/file-guard.ts";
import { openCatalogue } from "./requests/catalogue.ts";
import { openKeys } from "./requests/keys.ts";
import { openReads, prepareReads, type Reads } from "./requests/reads.ts";
import { openUsage } from "./requests/usage.ts";
import { openWriter } from "./requests/writer/placement.ts";
import { createWriter, type Writer } from "./requests/writer/writer.ts";
import { toReads } from "./sql.ts";

/** Takes a path or `:memory:`. Without `create`, the file must exist. */
export function openSqlite(
	path: string,
	{
		create,
		onAddBatch,
		onMigration,
		mappedBytes = 0,
		keepsHistory = true,
	}: StoreOptions & { readonly mappedBytes?: number },
): Store {
	const db = openDatabase(path, create, onMigration);
	const { reads, writer, requireSame, close } =
		path === memory ? openInMemory(db) : openOnDisk(db, path, mappedBytes);
	const ping = db.query("SELECT 1 FROM pets LIMIT 1");

	const keys = openKeys(db, writer);
	const requests: SqlRequests = {
		read: toReads(db),
		write: (...statement) => writer.write("runSql", ...statement),
	};
	const store: Store = {
		catalogue: openCatalogue(db, reads, writer, keepsHistory, onAddBatch),
		keys,
		categories: openCategories(requests),
		sessions: openSessions(requests, keys.find, sqliteCleanUpRows),
		history: openHistory(requests, sqliteCleanUpRows),
		usage: openUsage(db, writer),
		feed: {
			read: (query) => readOrRetry(reads.readFeed, query),
			last: () => readOrRetry(reads.readLastPosition, undefined),
		},
		archive: openArchive(db, path),
		imports: openImports(db, path, keepsHistory),
		exports: guardExports(openExports(db, path), requireSame),
		backups: openBackups(requests),
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

interface Parts {
	readonly reads: Reads;
	readonly writer: Writer;
	/** Throws `unavailable` if the files of the database were deleted or replaced. */
	readonly requireSame: () => void;
	readonly close: () => Promise<void>;
}

function openOnDisk(db: Database, path: string, mappedBytes: number): Parts {
	const file = guardFile(path);
	const dataVersion = openDataVersion(path);
	// Every read asks for the version.
	const version = () => {
		file.requireSeenSame();
		return dataVersion.read();
	};
	const { reads, endSnapshot, close } = openReads(path, version, mappedBytes);
	const writer = openWriter(db, path, file, endSnapshot);
	return {
		reads,
		writer,
		requireSame: file.requireSame,
		async close() {
			await writer.close();
			close();
			dataVersion.close();
			db.close();
		},
	};
}

/** A database in memory belongs to one connection, has no WAL and waits for no disk. */
function openInMemory(db: Database): Parts {
	return {
		reads: prepareReads(db),
		writer: createWriter(db, guardFile(memory)),
		requireSame() {},
		close: async () => db.close(),
	};
}

/** An export opens the file at the path when it begins, and may take minutes. */
function guardExports({ open }: Exports, requireSame: () => void): Exports {
	return {
		async open(filter) {
			requireSame();
			const snapshot = await open(filter);
			return {
				...snapshot,
				async next(rows) {
					const page = await snapshot.next(rows);
					requireSame();
					return page;
				},
			};
		},
	};
}
