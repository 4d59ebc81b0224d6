// Which SQLite opens a database, and whether it is safe for a file. Bun has one of its own on Linux and Windows. On macOS it loads
// Apple's, which is older, unless it is told to load another.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { OperatorError } from "../../../domain/errors.ts";

/** A further connection. All connections are opened here, since another library can be chosen only before the first one. */
export function openConnection(
	path: string,
	options: ConstructorParameters<typeof Database>[1],
): Database {
	chooseLibrary();
	return new Database(path, options);
}

function chooseLibrary(): void {
	const library = findLibrary(process.platform, process.arch);
	if (library === undefined || !existsSync(library)) return;
	try {
		Database.setCustomSQLite(library);
	} catch {
		// A library was loaded before, by an earlier connection or by another part of Bun. `requireSafeWal` tells whether it is safe.
	}
}

/** On macOS: where Homebrew installs SQLite. It has another folder on each kind of processor. */
export function findLibrary(
	platform: string,
	arch: string,
): string | undefined {
	if (platform !== "darwin") return undefined;
	const prefix = arch === "arm64" ? "/opt/homebrew" : "/usr/local";
	return `${prefix}/opt/sqlite/lib/libsqlite3.dylib`;
}

/**
 * SQLite 3.7.0 to 3.51.2 can lose committed writes when it resets the WAL (https://sqlite.org/wal.html#walresetbug). Two of its older
 * branches have the fix too. A database without a WAL is not concerned.
 */
export function requireSafeWal(
	version = readLibraryVersion(),
	platform: string = process.platform,
): void {
	if (Bun.semver.satisfies(version, ">=3.51.3 || ~3.50.7 || ~3.44.6")) return;
	throw new OperatorError(
		platform === "darwin"
			? `SQLite ${version} can lose committed writes of a file, and on macOS Bun brings no other: install 3.51.3 or later with "brew install sqlite" and start again, or use PostgreSQL or sqlite::memory:.`
			: `SQLite ${version} can lose committed writes, so 3.51.3 or later is needed: use the Bun that "npm ci" installs.`,
	);
}

/** Without a file, so that a start that is refused creates none. */
function readLibraryVersion(): string {
	const db = openConnection(":memory:", {});
	try {
		return readSqliteVersion(db);
	} finally {
		db.close();
	}
}

export function readSqliteVersion(db: Database): string {
	const row = db
		.query<{ version: string }, []>("SELECT sqlite_version() AS version")
		.get();
	return row?.version ?? "";
}
