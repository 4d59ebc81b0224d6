// Migrates an older file without reading its animals. ALTER TABLE reads all rows of a STRICT table, which takes seconds for ten million
// animals. A row may have fewer columns than its table, and the others are NULL, so it is enough to change the text of the table.
// bun:sqlite does not allow that, node:sqlite does. Where it does not work, the usual migration alters the table.
import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqliteStartLockMs } from "../../limits.ts";
import type { Migration } from "../store.ts";
import {
	applicationId,
	migrateTo,
	migrations,
	openWithSchema,
	withoutComments,
} from "./schema.ts";

/** Returns undefined if it has done nothing. Must be called before the file is opened. */
export function migrateQuickly(path: string): Migration | undefined {
	// There another SQLite must be chosen before the first one is used.
	if (process.platform === "darwin" || !isOlder(path)) return undefined;
	const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
	// Otherwise the text of a table cannot be changed.
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
		// An open transaction is rolled back: the file is as it was.
		db.close();
	}
}

/** The new text of the table has them. */
function withoutColumns(sql: string): string {
	return sql.replace(/ALTER TABLE pets ADD [^;]*;/g, "");
}

/** By the header of the file, so that other files are not opened. The WAL may have a newer one. */
export function isOlder(path: string): boolean {
	const header = Buffer.alloc(100);
	const file = openSync(path, "r");
	readSync(file, header);
	closeSync(file);
	const version = header.readInt32BE(60);
	const isOurs = header.readInt32BE(68) === applicationId;
	return isOurs && version > 0 && version < migrations.length;
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
	// Other connections read the schema again when its number changes, and this one now.
	run(`PRAGMA schema_version = ${version + 1}`);
	run("PRAGMA writable_schema = RESET");
}

function tableOf(version: number): string {
	const fresh = openWithSchema(version);
	const row = fresh.query<{ sql: string }, []>(textOfPets).get();
	fresh.close();
	return row?.sql ?? "";
}

const textOfPets = "SELECT sql FROM sqlite_schema WHERE name = 'pets'";

function readNumber(db: DatabaseSync, pragma: string): number {
	return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}
