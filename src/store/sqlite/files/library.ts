// Chooses the SQLite library and refuses one that is unsafe for a file. Bun has its own on Linux and Windows. On macOS it loads
// Apple's, which is older, unless another is set.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { OperatorError } from "../../../domain/errors.ts";

/** Opens every connection, since the library can be set only before the first one. */
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
		// An earlier connection or another part of Bun has loaded a library. `requireSafeWal` checks it.
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
 * branches have the fix too. A database without a WAL is safe.
 */
export function requireSafeWal(
	version = readLibraryVersion(),
	platform: string = process.platform,
): void {
	if (Bun.semver.satisfies(version, ">=3.51.3 || ~3.50.7 || ~3.44.6")) return;
	throw new OperatorError(
		platform === "darwin"
			? `SQLite ${version} can lose committed writes to a file, and Bun has no other SQLite on macOS. Install 3.51.3 or later with "brew install sqlite" and start again, or use PostgreSQL or sqlite::memory:.`
			: `SQLite ${version} can lose committed writes. Version 3.51.3 or later is needed: use the Bun that "npm ci" installs.`,
	);
}

/** In memory, so that a refused start creates no file. */
function readLibraryVersion(): string {
	using db = openConnection(":memory:", {});
	return readSqliteVersion(db);
}

export function readSqliteVersion(db: Database): string {
	const row = db
		.query<{ version: string }, []>("SELECT sqlite_version() AS version")
		.get();
	return row?.version ?? "";
}
