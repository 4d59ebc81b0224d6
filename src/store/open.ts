// Opens the store for a database URL. An engine is loaded only if it is used.
import { readDatabaseUrl } from "./database-url.ts";
import type { ImportMode, Staging } from "./import.ts";
import type { Store, StoreOptions, StoreReader } from "./store.ts";

export async function openStore(
	url: string,
	options: StoreOptions,
): Promise<Store> {
	const { path } = readDatabaseUrl(url);
	if (path === undefined) {
		const { openPostgres } = await import("./postgres/engine.ts");
		return openPostgres(url, options);
	}
	const { openSqlite } = await import("./sqlite/engine.ts");
	return openSqlite(path, options);
}

/** Opens a database only to read it. */
export async function openStoreReader(url: string): Promise<StoreReader> {
	const { path } = readDatabaseUrl(url);
	if (path === undefined) {
		const { openPostgresReader } = await import("./postgres/reader.ts");
		return openPostgresReader(url);
	}
	const { openSqliteReader } = await import("./sqlite/reader.ts");
	return openSqliteReader(path);
}

/** Backups are SQLite files, whatever the database is. */
export function loadBackupFiles() {
	return import("./sqlite/archive/backup-file.ts");
}

/** Opens a backup without changing it. */
export async function openBackup(path: string): Promise<StoreReader> {
	const { openSqliteReader } = await import("./sqlite/reader.ts");
	return openSqliteReader(path);
}

/** A temporary file for the animals of an import, whatever the database is. */
export async function openStaging(mode: ImportMode): Promise<Staging> {
	const { openStaging } = await import("./sqlite/archive/staging.ts");
	return openStaging(mode);
}

/** The host of a PostgreSQL that is called over the network without TLS; undefined for any other database. */
export async function findPlainHost(url: string): Promise<string | undefined> {
	if (!isPostgres(url)) return undefined;
	const { toPlainHost } = await import("./postgres/connection.ts");
	return toPlainHost(url);
}

function isPostgres(url: string): boolean {
	return /^postgres(ql)?:\/\//.test(url);
}
