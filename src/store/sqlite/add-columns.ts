// Gives the animals of an older file the columns of the newest schema at once. ALTER TABLE reads all rows of a STRICT table, which takes
// seconds for ten million animals. A row may have fewer columns than its table, and the others are NULL, so it is enough to change the text
// of the table. bun:sqlite does not allow that, node:sqlite does. Where it does not work, the migration alters the table.
import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqliteStartLockMs } from "../../limits.ts";
import {
	applicationId,
	migrations,
	openWithSchema,
	withoutComments,
} from "./schema.ts";

/** Must be called before the file is opened. */
export function addColumns(path: string): void {
	// There another SQLite must be chosen before the first one is used.
	if (process.platform === "darwin" || !isOlder(path)) return;
	const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
	// Otherwise the text of a table cannot be changed.
	const db = new DatabaseSync(path, { defensive: false });
	try {
		db.prepare(`PRAGMA busy_timeout = ${sqliteStartLockMs}`).run();
		db.prepare("BEGIN IMMEDIATE").run();
		if (
			readTable(db) === withoutComments(tableOf(readNumber(db, "user_version")))
		)
			setTable(db, tableOf(migrations.length));
		db.prepare("COMMIT").run();
	} catch {
		// The file is as it was.
	} finally {
		db.close();
	}
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

function setTable(db: DatabaseSync, sql: string): void {
	const version = readNumber(db, "schema_version");
	db.prepare("PRAGMA writable_schema = ON").run();
	db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'pets'").run(sql);
	// Other connections read the schema again when its number changes.
	db.prepare(`PRAGMA schema_version = ${version + 1}`).run();
	db.prepare("PRAGMA writable_schema = OFF").run();
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
