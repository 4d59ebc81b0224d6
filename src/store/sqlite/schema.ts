// Makes the tables of a new SQLite file, and refuses the file of another program or version.
import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import type { Access } from "../engine.ts";
import {
	refuseEarlier,
	schemaSteps,
	toFirstRows,
	toMissing,
} from "../schema.ts";
import { schemaMark } from "../tables.ts";

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

export function readPragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
