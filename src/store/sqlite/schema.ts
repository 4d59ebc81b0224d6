// The schema of a SQLite file, and the steps that lead to it.
import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { authorKinds } from "../../domain/author.ts";
import { OperatorError } from "../../domain/errors.ts";
import { keyScopes } from "../../domain/key-scope.ts";
import { maxNameLength } from "../../domain/pet.ts";
import { changeKinds } from "../feed.ts";
import {
	isOneOf,
	isOtherMark,
	refuseEarlier,
	refuseNewer,
	schemaMark,
	toContentColumns,
	toNewCatalogue,
	toPetColumns,
} from "../schema.ts";

const columnTypes = { INTEGER: "INTEGER", TEXT: "TEXT" };

/** Each is applied once, in this order; the file's `user_version` counts them. */
export const schemaSteps: readonly string[] = [
	`-- One counter gives ids of animals and positions of the feed. So the id of an added animal is its position, without a row in changes.
	CREATE TABLE pets (
		id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0), -- AUTOINCREMENT: an id is not assigned twice, even if its row was deleted
		${toPetColumns(columnTypes)},
		version INTEGER CHECK (version > 0) -- a position of the feed; NULL in an animal that was never changed: its id is its version then
	) STRICT;
	-- One index per status: an add appends to a small index instead of inserting into the middle of a large one.
	CREATE INDEX pets_available ON pets (id) WHERE status = 'available';
	CREATE INDEX pets_pending ON pets (id) WHERE status = 'pending';
	CREATE INDEX pets_sold ON pets (id) WHERE status = 'sold';

	CREATE TABLE idempotency_keys (
		owner TEXT NOT NULL,
		key TEXT NOT NULL,
		fingerprint TEXT NOT NULL,
		pet_id INTEGER NOT NULL,
		used_at INTEGER NOT NULL,
		PRIMARY KEY (owner, key)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX idempotency_keys_by_use ON idempotency_keys (used_at);

	CREATE TABLE keys (
		id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
		name TEXT NOT NULL CHECK (length(name) <= ${maxNameLength}),
		hash TEXT NOT NULL UNIQUE,
		prefix TEXT NOT NULL,
		scope TEXT NOT NULL CHECK (${isOneOf("scope", keyScopes)}),
		created_at INTEGER NOT NULL,
		expires_at INTEGER,
		revoked_at INTEGER,
		last_used_at INTEGER,
		deprecated_use_at INTEGER -- the last call of a deprecated operation
	) STRICT;

	CREATE TABLE sessions (
		hash TEXT PRIMARY KEY,
		key_hash TEXT, -- of the key that made it; NULL: made by a link, or by a key that is not stored
		name TEXT, -- of the person, if the link had one
		created_at INTEGER NOT NULL,
		last_used_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE sign_in_links (
		hash TEXT PRIMARY KEY,
		expires_at INTEGER NOT NULL,
		name TEXT
	) STRICT, WITHOUT ROWID;

	CREATE TABLE changes (
		position INTEGER PRIMARY KEY,
		pet_id INTEGER NOT NULL UNIQUE, -- only the last change of an animal is kept
		kind TEXT NOT NULL CHECK (${isOneOf("kind", changeKinds)})
	) STRICT;
	CREATE TABLE history (
		position INTEGER PRIMARY KEY, -- in the feed; after a change it is the version of the animal
		pet_id INTEGER NOT NULL,
		kind TEXT NOT NULL CHECK (${isOneOf("kind", changeKinds)}), -- 'added' for an animal that was put back
		at INTEGER NOT NULL,
		by_kind TEXT NOT NULL CHECK (${isOneOf("by_kind", authorKinds)}),
		by_id TEXT,
		by_name TEXT,
		-- The animal before; NULL for one that was put back.
		${toContentColumns(columnTypes)}
	) STRICT;
	CREATE INDEX history_by_pet ON history (pet_id);

	CREATE TABLE categories (
		id INTEGER PRIMARY KEY, -- as animals have it
		name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
		compared_name TEXT NOT NULL UNIQUE -- without regard to case
	) STRICT;
	CREATE TABLE imports (
		id TEXT PRIMARY KEY, -- the --import-id
		animals INTEGER NOT NULL CHECK (animals >= 0),
		finished_at INTEGER NOT NULL,
		content_hash TEXT NOT NULL -- SHA-256 of the file
	) STRICT, WITHOUT ROWID;
	CREATE TABLE catalogue (
		one INTEGER PRIMARY KEY CHECK (one = 1), -- the only row
		id TEXT NOT NULL, -- random; backups have it in their names, and a restored database has that of its backup
		feed_base TEXT NOT NULL, -- what readers add to a position, in decimal, since it may be above int64
		made_at INTEGER, -- when a backup was begun; NULL in a database that is served
		-- See src/store/archive/backups.ts.
		backed_up_at INTEGER,
		backup_failures INTEGER NOT NULL DEFAULT 0,
		backup_failure TEXT,
		backup_holder TEXT,
		backup_until INTEGER
	) STRICT;`,
];

/** Runs all missing steps in one transaction. A file with the newest schema is only read, so that a start does not wait for a writer. */
export function migrate(db: Database, path: string, steps = schemaSteps): void {
	if (readVersion(db, path, steps) === steps.length) return;
	const runMissing = db.transaction(() => {
		const version = readVersion(db, path, steps);
		for (const step of steps.slice(version)) db.run(step);
		if (version === 0)
			db.run(
				"INSERT INTO catalogue (one, id, feed_base) VALUES (1, ?, ?)",
				toNewCatalogue(),
			);
		db.run(`PRAGMA application_id = ${schemaMark}`);
		db.run(`PRAGMA user_version = ${steps.length}`);
	});
	runMissing.immediate();
}

/** Refuses a file of an earlier checkout without opening it in SQLite, which would move its WAL into the file. */
export function requireMark(path: string): void {
	const { mark = schemaMark } = readHeader(path) ?? {};
	if (isOtherMark(mark)) throw refuseEarlier(path);
}

/** Undefined if the file is no database. https://sqlite.org/fileformat.html#the_database_header */
export function readHeader(
	path: string,
): { mark: number; hasWal: boolean } | undefined {
	const header = Buffer.alloc(100);
	try {
		const file = openSync(path, "r");
		readSync(file, header);
		closeSync(file);
	} catch {
		return undefined;
	}
	if (header.toString("latin1", 0, 16) !== "SQLite format 3\0")
		return undefined;
	const hasWal = header[18] !== 1 || header[19] !== 1;
	return { mark: header.readUInt32BE(68), hasWal };
}

/** For commands that only read, and run no steps. */
export function requireSchema(db: Database, path: string): void {
	if (readVersion(db, path, schemaSteps) < 1)
		throw new OperatorError(
			`${path} holds no pet store; choose another database.`,
		);
}

/** Throws if the file is not ours, or newer than this program. */
function readVersion(
	db: Database,
	path: string,
	steps: readonly string[],
): number {
	const isEmpty = db.query("SELECT 1 FROM sqlite_schema").get() === null;
	if (!isEmpty && readPragma(db, "application_id") !== schemaMark)
		throw new OperatorError(
			`${path} belongs to another program; choose another file.`,
		);
	const version = readPragma(db, "user_version");
	refuseNewer(version, steps.length, path);
	return version;
}

export function readPragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
