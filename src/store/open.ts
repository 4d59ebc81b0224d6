// Opens the store for a database URL. An engine is loaded only if it is used.
import { existsSync } from "node:fs";
import { OperatorError } from "../contract/errors.ts";
import { defaultMemoryBytes, defaultPoolSize } from "../limits.ts";
import type { Origin, Part } from "./archive.ts";
import type { Staging } from "./import.ts";
import type { OnMigration } from "./migration.ts";
import type { Store, StoreReader } from "./store.ts";

export interface StoreOptions {
	/** Whether to create a database that is not there yet. */
	readonly create: boolean;
	/** Connections to PostgreSQL at most. */
	readonly poolSize?: number;
	/** Memory that the process may take. What is above `defaultMemoryBytes` maps the SQLite file. */
	readonly memoryBytes?: number | undefined;
	/** Called with the number of adds in each batch. */
	readonly onAddBatch?: OnAddBatch;
	/** Called if the database had an older schema. */
	readonly onMigration?: OnMigration;
}

export type OnAddBatch = ((size: number) => void) | undefined;

export async function openStore(
	url: string,
	options: StoreOptions,
): Promise<Store> {
	const { create, poolSize = defaultPoolSize } = options;
	const { onAddBatch, onMigration } = options;
	requireDatabaseUrl(url);
	if (isPostgres(url)) {
		const { openPostgres } = await import("./postgres/engine.ts");
		return openPostgres(url, { create, poolSize, onAddBatch, onMigration });
	}
	const { openSqlite } = await import("./sqlite/engine.ts");
	const { memoryBytes = defaultMemoryBytes } = options;
	return openSqlite(url.slice("sqlite:".length), {
		create,
		onAddBatch,
		onMigration,
		mappedBytes: memoryBytes - defaultMemoryBytes,
	});
}

/** Opens a database only to read it. It may have an older schema. */
export async function openStoreReader(url: string): Promise<StoreReader> {
	requireDatabaseUrl(url);
	if (isPostgres(url)) {
		const { openPostgresReader } = await import("./postgres/reader.ts");
		return openPostgresReader(url);
	}
	const { openSqliteReader } = await import("./sqlite/reader.ts");
	return openSqliteReader(url.slice("sqlite:".length));
}

/** Writes the parts into the empty file of a backup. The file is not synced. */
export async function writeBackupFile(
	path: string,
	parts: AsyncIterable<Part>,
): Promise<Origin> {
	const backups = await import("./sqlite/backup-file.ts");
	return backups.writeBackupFile(path, parts);
}

/** What a backup says about itself; undefined if the file is none, or has an older schema. */
export async function findOrigin(path: string): Promise<Origin | undefined> {
	const backups = await import("./sqlite/backup-file.ts");
	return backups.findOrigin(path);
}

/** Whether the file begins like a SQLite file of ours. */
export async function isOwnFile(path: string): Promise<boolean> {
	const backups = await import("./sqlite/backup-file.ts");
	return backups.readKind(path) !== undefined;
}

/** Opens a backup, which may have an older schema. Its file is not changed. */
export async function openBackup(path: string): Promise<StoreReader> {
	const { openSqliteReader } = await import("./sqlite/reader.ts");
	return openSqliteReader(path);
}

/** A temporary place for the animals of a file, whatever the database is. */
export async function openStaging(keepIds: boolean): Promise<Staging> {
	const { openStaging } = await import("./sqlite/staging.ts");
	return openStaging(keepIds);
}

/** Throws an OperatorError that says what is wrong with the URL. It does not repeat the URL, which may contain a password. */
export function requireDatabaseUrl(url: string): void {
	if (isEmbedded(url)) return;
	const problem = isPostgres(url)
		? findPostgresProblem(URL.parse(url))
		: `The database must be sqlite:PATH, sqlite::memory: or ${postgresForm}.${toSuggestion(url)}`;
	if (problem !== undefined) throw new OperatorError(problem, 2);
}

/** For what is a path and nothing else: it can have no password. */
function toSuggestion(url: string): string {
	const isPath =
		/^([A-Za-z]:)?(?!\/\/)[^:@?=\s]+$/.test(url) &&
		/^[./]|[\\/]|\.(db|sqlite3?)$/.test(url);
	return isPath ? ` Did you mean sqlite:${url}?` : "";
}

const postgresForm = "postgres://USER:PASSWORD@HOST/DATABASE";

function findPostgresProblem(url: URL | null): string | undefined {
	if (url === null || !isDecodable(url.username + url.password + url.pathname))
		return `The PostgreSQL URL is malformed: it must be ${postgresForm}, with special characters percent-encoded (%2F for a slash).`;
	// The query may name the folder of a Unix socket.
	if (url.hostname === "" && !url.searchParams.has("host"))
		return `The PostgreSQL URL names no host; it must be ${postgresForm}.`;
	return undefined;
}

function isDecodable(text: string): boolean {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * Resolves when the server of the database accepts connections, or after `ms`, or as soon as more waiting would not help; `openStore` then
 * tells the problem. Calls `onWait` once, with the reason, if it has to wait.
 */
export async function waitForDatabase(
	url: string,
	ms: number,
	onWait: (reason: string) => void,
): Promise<void> {
	if (ms === 0 || !isPostgres(url)) return;
	const { waitForServer } = await import("./postgres/wait.ts");
	await waitForServer(url, ms, onWait);
}

/** Whether the database belongs to this machine alone. */
export function isEmbedded(url: string): boolean {
	// `sqlite://name` is not: the name would look like a host.
	return /^sqlite:(?!\/\/[^/])./s.test(url);
}

/** Whether the database ends with its process. */
export function isInMemory(url: string): boolean {
	return url === "sqlite::memory:";
}

/** Whether the database is a SQLite file. */
export function isFile(url: string): boolean {
	return isEmbedded(url) && !isInMemory(url);
}

/** Whether the file of an embedded database is not there. */
export function isMissing(url: string): boolean {
	return isFile(url) && !existsSync(url.slice("sqlite:".length));
}

function isPostgres(url: string): boolean {
	return /^postgres(ql)?:\/\//.test(url);
}

/** The host of a PostgreSQL that is called without TLS, and not by a Unix socket; undefined for any other database. */
export async function findPlainHost(url: string): Promise<string | undefined> {
	if (!isPostgres(url)) return undefined;
	const { toPlainHost } = await import("./postgres/connection.ts");
	return toPlainHost(url);
}

/** The URL without its password, which may also be in its query. */
export function toPublicUrl(url: string): string {
	if (!isPostgres(url)) return url;
	const shown = new URL(url);
	if (shown.password !== "") shown.password = "***";
	shown.search = "";
	return shown.href;
}
