// The store: small interfaces that each engine implements for its database.
// Times are milliseconds since 1970. When the engine cannot answer, a method fails with `unavailable`.
import type { Archive } from "./archive/archive.ts";
import { openBackups, toBackupReads } from "./archive/backups.ts";
import type { Checked } from "./archive/check.ts";
import { toImportReads } from "./archive/import.ts";
import type { SqlRequests } from "./archive/tables.ts";
import type { Catalogue } from "./catalogue.ts";
import { listCategories, openCategories } from "./categories.ts";
import { toCleanUp } from "./clean-up.ts";
import type { Exports } from "./export.ts";
import type { Feed } from "./feed.ts";
import { openHistory } from "./history.ts";
import type { Imports } from "./import.ts";
import { type KeyPage, type Keys, listKeys } from "./keys.ts";
import { openSessions } from "./sessions.ts";

export interface Store extends ReturnType<typeof openSharedParts> {
	readonly catalogue: Catalogue;
	readonly feed: Feed;
	readonly archive: Archive;
	readonly imports: Imports;
	readonly exports: Exports;
	readonly describe: () => Promise<StoreDescription>;
	/** Resolves if queries can be answered now. */
	readonly ping: () => Promise<void>;
	readonly close: () => Promise<void>;
}

export interface StoreOptions {
	readonly create: boolean;
	/** Whether changes get an entry in the history; true if not given. */
	readonly keepsHistory?: boolean | undefined;
}

export interface StoreDescription {
	readonly engine: "sqlite" | "postgres";
	readonly engineVersion: string;
	/** The number of steps that the database has. */
	readonly schema: number;
	/** The size on disk, or in memory for a database in memory. For PostgreSQL: our tables with their indexes. */
	readonly databaseBytes: number;
	/** The size of the WAL file, which SQLite overwrites from its start after a checkpoint. Only for a SQLite file. */
	readonly walBytes?: number;
}

/** The part of a store for commands that only read. It changes nothing in the database. */
export interface StoreReader
	extends ReturnType<typeof openSharedReads>,
		Pick<Store, "exports" | "describe" | "close"> {
	readonly catalogue: Pick<
		Catalogue,
		"listPets" | "getPet" | "countPets" | "countCategories"
	>;
	readonly archive: Pick<Archive, "read">;
	readonly check: () => Promise<Checked>;
}

/** The parts of a store with SQL that both engines understand. */
export function openSharedParts(
	requests: SqlRequests,
	keys: Keys,
	cleanUpRows: number,
) {
	return {
		keys,
		categories: openCategories(requests),
		sessions: openSessions(requests, keys.find),
		history: openHistory(requests.read),
		backups: openBackups(requests),
		cleanUp: toCleanUp(requests, cleanUpRows),
	};
}

/** The same for commands that only read. */
export function openSharedReads(read: SqlRequests["read"]) {
	return {
		categories: { list: () => listCategories(read) },
		keys: { list: (page?: KeyPage) => listKeys(read, page) },
		history: openHistory(read),
		imports: toImportReads(read),
		backups: toBackupReads(read),
	};
}
