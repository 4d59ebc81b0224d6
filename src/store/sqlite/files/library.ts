// Refuses a SQLite that is unsafe for a file. Bun has its own on Linux. On macOS it loads Apple's, which is older.
import { Database } from "bun:sqlite";
import { OperatorError } from "../../../domain/errors.ts";

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed writes when it resets the WAL (https://sqlite.org/wal.html#walresetbug). Two of its older
 * branches have the fix too. A database without a WAL is safe.
 */
export function requireSafeWal(version = readLibraryVersion()): void {
	if (Bun.semver.satisfies(version, ">=3.51.3 || ~3.50.7 || ~3.44.6")) return;
	throw new OperatorError(
		`SQLite ${version} can lose committed writes to a file, and 3.51.3 or later is needed; run the service on Linux, where Bun has its own SQLite, or use PostgreSQL or sqlite::memory:.`,
	);
}

/** In memory, so that a refused start creates no file. */
function readLibraryVersion(): string {
	using db = new Database(":memory:");
	return readSqliteVersion(db);
}

export function readSqliteVersion(db: Database): string {
	const row = db
		.query<{ version: string }, []>("SELECT sqlite_version() AS version")
		.get();
	return row?.version ?? "";
}
