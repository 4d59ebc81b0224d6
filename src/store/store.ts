// A store is what the service needs of a database: some small interfaces, which each engine implements.
// Times are milliseconds since 1970. When the engine cannot answer, a method fails with `unavailable`.
import { OperatorError } from "../domain/errors.ts";
import type { Log } from "../log/log.ts";
import type { Archive } from "./archive/archive.ts";
import type { Checked } from "./archive/check.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Exports } from "./export.ts";
import type { Feed } from "./feed.ts";
import type { Imports } from "./import.ts";
import type { Keys } from "./keys.ts";
import type { Sessions } from "./sessions.ts";
import type { Usage } from "./usage.ts";

export interface Store {
	readonly catalogue: Catalogue;
	readonly keys: Keys;
	readonly sessions: Sessions;
	readonly usage: Usage;
	readonly feed: Feed;
	readonly archive: Archive;
	readonly imports: Imports;
	readonly exports: Exports;
	readonly describe: () => Promise<StoreDescription>;
	/** Resolves if queries can be answered now. */
	readonly ping: () => Promise<void>;
	readonly close: () => Promise<void>;
}

export interface StoreDescription {
	readonly engine: "sqlite" | "postgres";
	readonly engineVersion: string;
	/** The number of migrations that the database has. */
	readonly schema: number;
	/** What the database takes on disk, or in memory if it is there: for PostgreSQL, our tables with their indexes. */
	readonly databaseBytes: number;
	/** The size of the WAL file, of which SQLite uses the beginning again after a checkpoint. Only for a SQLite file. */
	readonly walBytes?: number;
}

/** The part of a store that commands need which only read. What gives it changes nothing in the database. */
export interface StoreReader
	extends Pick<Store, "exports" | "describe" | "close"> {
	readonly catalogue: Pick<Catalogue, "listPets" | "getPet" | "countPets">;
	readonly keys: Pick<Keys, "list">;
	readonly usage: Pick<Usage, "read">;
	readonly archive: Pick<Archive, "read" | "readOnline">;
	/** Checks everything that the database holds. */
	readonly check: () => Promise<Checked>;
	readonly imports: Pick<Imports, "find" | "findTaken">;
}

/** For databases that this program cannot use. */
export function refuseNewer(
	version: number,
	known: number,
	name: string,
): void {
	if (version > known)
		throw new OperatorError(
			`${name} was written by a newer version of petstore (schema ${version}, this one knows ${known}); use that version, or restore a backup that was made before the upgrade.`,
		);
}

/** What the start of a newer version has done to a database of an older schema. Schemas are counted from 1. */
export interface Migration {
	readonly from: number;
	readonly to: number;
	readonly ms: number;
}

export type OnMigration = ((migration: Migration) => void) | undefined;

/** For a service. Of several processes only the one that has migrated the database calls it. */
export function logMigration(log: Log): (migration: Migration) => void {
	return (migration) => log.info({ ...migration }, "the database was migrated");
}
