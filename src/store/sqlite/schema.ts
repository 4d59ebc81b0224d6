// Makes the tables of a new SQLite file, and refuses the file of another program or version.
import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import type { Access } from "../database/engine.ts";
import {
	earlierTables,
	refuseEarlier,
	schemaSteps,
	toFirstRows,
	toMissing,
} from "../database/schema.ts";
import { schemaMark, toSchema } from "../database/tables.ts";

/** Runs all missing steps in one transaction. A file with the newest schema is only read, so that a start does not wait for a writer. */
export function prepareSchema(
	db: Database,
	path: string,
	access: Access,
	steps = schemaSteps,
): void {
	const readVersion = () => readPragma(db, "user_version");
	if (toMissing(steps, readVersion(), path, access).length === 0) return;
	const runMissing = db.transaction(() => {
		const version = readVersion();
		for (const step of toMissing(steps, version, path, access)) db.run(step);
		if (version === 0) db.run(toFirstRows());
		db.run(`PRAGMA application_id = ${schemaMark}`);
		db.run(`PRAGMA user_version = ${steps.length + 1}`);
	});
	runMissing.immediate();
}

/** Refuses a file that is not ours without opening it in SQLite, which would move its WAL into the file. */
export function requireMark(path: string): void {
	const bytes = Buffer.alloc(100);
	const file = openSync(path, "r");
	readSync(file, bytes);
	closeSync(file);
	const { mark } = toHeader(bytes) ?? { mark: schemaMark };
	if (mark !== schemaMark) throw refuseEarlier(path);
}

/** Of the first 100 bytes of a file; undefined if it is no database. https://sqlite.org/fileformat.html#the_database_header */
export function toHeader(
	bytes: Buffer,
): { mark: number; hasWal: boolean } | undefined {
	if (bytes.toString("latin1", 0, 16) !== "SQLite format 3\0") return undefined;
	const hasWal = bytes[18] !== 1 || bytes[19] !== 1;
	return { mark: bytes.readUInt32BE(68), hasWal };
}

/** What no version of ours makes. The first read of a view or a trigger of others would run it, perhaps without an end. */
export function findForeign(db: Database): readonly string[] {
	const known = new Set(
		[...toSchema().split(";\n"), ...earlierTables].map(toWords),
	);
	return db
		.query("SELECT type, name, sql FROM sqlite_schema")
		.values()
		.filter(
			([, name, sql]) =>
				!/^(CREATE TABLE )?sqlite_/.test(`${sql ?? name}`) &&
				!known.has(toWords(`${sql}`)),
		)
		.map(([type, name]) => `The ${type} ${name} is not one of a pet store.`);
}

/** In any order: a step adds a column at the end. */
function toWords(sql: string): string {
	return (sql.match(/\w+|[^\w\s]/g) ?? []).sort().join(" ");
}

export function readPragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
