// Migrates an older file without reading its animals: ALTER TABLE reads all rows of a STRICT table. A row may have fewer columns than its
// table; the others are NULL. So it is enough to change the text of the table. node:sqlite allows that; bun:sqlite does not. If it fails,
// the usual migration alters the table.
import type { DatabaseSync } from "node:sqlite";
import { sqliteStartLockMs } from "../../limits.ts";
import type { Migration } from "../store.ts";
import {
	migrateTo,
	migrations,
	openWithSchema,
	readHeader,
	withoutComments,
} from "./schema.ts";

/** Returns undefined if it has done nothing. Must be called before the file is opened. */
export function migrateQuickly(path: string): Migration | undefined {
	// On macOS another SQLite must be chosen before the first use.
	if (process.platform === "darwin" || !isOlder(path)) return undefined;
	const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
	// Defensive mode protects the text of a table.
	const db = new DatabaseSync(path, { defensive: false });
	const run = (sql: string) => db.exec(sql);
	try {
		run(`PRAGMA busy_timeout = ${sqliteStartLockMs}`);
		run("BEGIN IMMEDIATE");
		const begun = performance.now();
		const [from, to] = [readNumber(db, "user_version"), migrations.length];
		if (from === to || readTable(db) !== withoutComments(tableOf(from)))
			return undefined;
		setTable(db, run, tableOf(to));
		migrateTo((sql) => run(withoutColumns(sql)), to, from);
		run("COMMIT");
		return { from, to, ms: Math.round(performance.now() - begun) };
	} catch {
		return undefined;
	} finally {
		// This rolls an open transaction back.
		db.close();
	}
}

/** The new text of the table has these columns. */
function withoutColumns(sql: string): string {
	return sql.replace(/ALTER TABLE pets ADD [^;]*;/g, "");
}

export function isOlder(path: string): boolean {
	const { version = 0 } = readHeader(path) ?? {};
	return version > 0 && version < migrations.length;
}

function readTable(db: DatabaseSync): string {
	const row = db.prepare(textOfPets).get();
	return withoutComments(String(row?.sql));
}

function setTable(
	db: DatabaseSync,
	run: (sql: string) => void,
	sql: string,
): void {
	const version = readNumber(db, "schema_version");
	run("PRAGMA writable_schema = ON");
	db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'pets'").run(sql);
	// A new number makes other connections read the schema again, and RESET this one.
	run(`PRAGMA schema_version = ${version + 1}`);
	run("PRAGMA writable_schema = RESET");
}

function tableOf(version: number): string {
	using fresh = openWithSchema(version);
	return fresh.query<{ sql: string }, []>(textOfPets).get()?.sql ?? "";
}

const textOfPets = "SELECT sql FROM sqlite_schema WHERE name = 'pets'";

function readNumber(db: DatabaseSync, pragma: string): number {
	return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
