// Reads a database URL: which database it names, and how to show it without its password.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "../../domain/errors.ts";

/** The path of a database that ends with its process. */
export const memory = ":memory:";

export interface DatabaseUrl {
	/** As it was given. It may contain a password. */
	readonly text: string;
	/** Without its password and its query, which may contain one. */
	readonly shown: string;
	/** The path of SQLite, or `memory`; undefined for PostgreSQL. */
	readonly path: string | undefined;
	/** The SQLite file; undefined for any other database. */
	readonly file: string | undefined;
}

/** Throws an OperatorError that does not repeat the text, since it may contain a password. */
export function readDatabaseUrl(text: string): DatabaseUrl {
	// `sqlite://name` is refused: the name would look like a host.
	const [, path] = /^sqlite:((?!\/\/[^/]).+)$/s.exec(text) ?? [];
	const file = path === memory ? undefined : path;
	const shown = path === undefined ? toPublicUrl(text) : text;
	return { text, shown, path, file };
}

/** The folder of the backups: as it was given, else `backups` beside the SQLite file. */
export function toBackupFolder(
	given: string | undefined,
	{ file }: Pick<DatabaseUrl, "file">,
): string | undefined {
	return given ?? (file && join(dirname(file), "backups"));
}

/** Whether the database is a file that does not exist. */
export function isMissing({ file }: DatabaseUrl): boolean {
	return file !== undefined && !existsSync(file);
}

function toPublicUrl(text: string): string {
	const url = URL.parse(text);
	// A slash in a password would begin the name of the database.
	if (
		!url ||
		!/^postgres(ql)?:\/\//.test(text) ||
		!isEncoded(url.pathname) ||
		url.pathname.includes("@")
	)
		throw new OperatorError(
			"The database must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE, with special characters percent-encoded (%2F for a slash).",
			2,
		);
	if (url.password !== "") url.password = "***";
	url.search = "";
	return url.href;
}

function isEncoded(path: string): boolean {
	try {
		return decodeURIComponent(path) !== undefined;
	} catch {
		return false;
	}
}
