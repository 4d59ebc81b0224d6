// The schema of a SQLite file, and the migrations that bring an older file to it.
import type { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";
import { OperatorError } from "../../domain/errors.ts";
import type { PetStatus } from "../../domain/pet.ts";
import { toFirstBase } from "../feed.ts";
import { type Migration, refuseNewer } from "../store.ts";
import { moveOldHours } from "../usage/rows.ts";
import { openConnection } from "./files/library.ts";

/** Each is applied once, in this order; the file's `user_version` counts them. One that has shipped is never edited. */
export const migrations: readonly string[] = [
	`CREATE TABLE pets (
		id INTEGER PRIMARY KEY AUTOINCREMENT, -- AUTOINCREMENT: an id is not assigned twice, even if its row was deleted
		name TEXT NOT NULL,
		category_id INTEGER NOT NULL,
		status TEXT NOT NULL
	) STRICT;
	CREATE INDEX pets_by_status ON pets (status, id);

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
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		hash TEXT NOT NULL UNIQUE,
		prefix TEXT NOT NULL,
		scope TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		expires_at INTEGER,
		revoked_at INTEGER,
		last_used_at INTEGER
	) STRICT;`,
	// One index per status: an add appends to a small index instead of inserting into the middle of a large one.
	`CREATE INDEX pets_available ON pets (id) WHERE status = 'available';
	CREATE INDEX pets_pending ON pets (id) WHERE status = 'pending';
	CREATE INDEX pets_sold ON pets (id) WHERE status = 'sold';
	DROP INDEX pets_by_status;`,
	// When a key gets another secret, it keeps its row and the hash that owns its Idempotency-Keys.
	`CREATE TABLE key_secrets (
		hash TEXT PRIMARY KEY,
		key_id INTEGER NOT NULL REFERENCES keys (id),
		expires_at INTEGER -- of a secret that was replaced
	) STRICT, WITHOUT ROWID;
	CREATE INDEX key_secrets_by_key ON key_secrets (key_id);
	INSERT INTO key_secrets (hash, key_id) SELECT hash, id FROM keys;

	CREATE TABLE sessions (
		hash TEXT PRIMARY KEY,
		secret_hash TEXT, -- of the secret that made it; NULL: made by a link, or by a key that is not stored
		created_at INTEGER NOT NULL,
		last_used_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	CREATE TABLE sign_in_links (
		hash TEXT PRIMARY KEY,
		expires_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;

	CREATE TABLE usage (
		period TEXT NOT NULL, -- 'minute' or 'hour'
		starts_at INTEGER NOT NULL,
		key TEXT NOT NULL, -- '' if the caller had no valid key
		operation TEXT NOT NULL,
		status INTEGER NOT NULL,
		requests INTEGER NOT NULL,
		-- The requests by their duration; src/store/usage.ts has the bounds.
		d0 INTEGER NOT NULL, d1 INTEGER NOT NULL, d2 INTEGER NOT NULL, d3 INTEGER NOT NULL, d4 INTEGER NOT NULL,
		d5 INTEGER NOT NULL, d6 INTEGER NOT NULL, d7 INTEGER NOT NULL, d8 INTEGER NOT NULL, d9 INTEGER NOT NULL,
		d10 INTEGER NOT NULL, d11 INTEGER NOT NULL, d12 INTEGER NOT NULL, d13 INTEGER NOT NULL, d14 INTEGER NOT NULL,
		PRIMARY KEY (period, starts_at, key, operation, status)
	) STRICT, WITHOUT ROWID;`,
	// The feed of changes. One counter gives positions and ids of animals. So the id of an added animal is its position, without a row here.
	`CREATE TABLE changes (
		position INTEGER PRIMARY KEY,
		pet_id INTEGER NOT NULL UNIQUE, -- only the last change of an animal is kept
		kind TEXT NOT NULL -- 'added', 'changed' or 'removed'
	) STRICT;
	CREATE TABLE feed (
		base INTEGER NOT NULL -- what readers add to a position. It is random, so positions of another database are recognised
	) STRICT;
	INSERT INTO feed VALUES (((random() & 0xFFFFF) + 1) * 0x100000000);

	CREATE TABLE imports (
		id TEXT PRIMARY KEY, -- the --import-id
		animals INTEGER NOT NULL,
		finished_at INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;`,
	`CREATE TABLE catalogue (
		one INTEGER PRIMARY KEY CHECK (one = 1), -- the only row
		id TEXT NOT NULL, -- random; backups have it in their names, and a restored database has that of its backup
		feed_base TEXT NOT NULL, -- what readers add to a position, in decimal, since it may be above int64
		made_at INTEGER -- when a backup was begun; NULL in a database that is served
	) STRICT;
	INSERT INTO catalogue SELECT 1, lower(hex(randomblob(4))), CAST(base AS TEXT), NULL FROM feed;
	DROP TABLE feed;`,
	// `version` is a position in `changes`. NULL in an animal that was never changed: its id is its version then. `added_at` and `added_by`,
	// the id of a key, are NULL if unknown.
	`ALTER TABLE pets ADD version INTEGER;
	ALTER TABLE pets ADD added_at INTEGER;
	ALTER TABLE pets ADD added_by INTEGER;
	UPDATE pets SET version = (SELECT position FROM changes WHERE pet_id = pets.id)
	WHERE id IN (SELECT pet_id FROM changes WHERE kind <> 'removed');`,
	`CREATE TABLE history (
		position INTEGER PRIMARY KEY, -- in the feed; after a change it is the version of the animal
		pet_id INTEGER NOT NULL,
		kind TEXT NOT NULL, -- 'changed', 'removed', or 'added' for an animal that was put back
		at INTEGER NOT NULL,
		by_kind TEXT NOT NULL, -- 'key', 'link', 'command line' or 'import'
		by_id TEXT,
		by_name TEXT,
		-- The animal before; NULL for one that was put back.
		version INTEGER, name TEXT, category_id INTEGER, status TEXT, added_at INTEGER, added_by INTEGER
	) STRICT;
	CREATE INDEX history_by_pet ON history (pet_id);
	ALTER TABLE sessions ADD name TEXT; -- of the person, if the link had one
	ALTER TABLE sign_in_links ADD name TEXT;
	ALTER TABLE imports ADD content_hash TEXT; -- SHA-256 of the file; NULL in older rows
	CREATE TABLE categories (
		id INTEGER PRIMARY KEY, -- as animals have it
		name TEXT NOT NULL,
		compared_name TEXT NOT NULL UNIQUE -- without regard to case
	) STRICT;
	ALTER TABLE catalogue ADD backed_up_at INTEGER; -- see src/store/archive/backups.ts
	ALTER TABLE catalogue ADD backup_failures INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE catalogue ADD backup_failure TEXT;
	ALTER TABLE catalogue ADD backup_holder TEXT;
	ALTER TABLE catalogue ADD backup_until INTEGER;`,
	moveOldHours.join(";\n").replaceAll("petstore.", ""),
];

/** The index of the animals with each status, from the migrations above. A further status needs a further migration. */
const statusIndexes: Readonly<Record<PetStatus, string>> = {
	available: "pets_available",
	pending: "pets_pending",
	sold: "pets_sold",
};

/** Keeps SQLite from scanning the whole table for a status. Empty if the file lacks the index. */
export function toIndexHint(db: Database, status: PetStatus): string {
	const index = statusIndexes[status];
	const found = db
		.query("SELECT 1 FROM pragma_index_list('pets') WHERE name = ?")
		.get(index);
	return found === null ? "" : `INDEXED BY ${index}`;
}

/** Marks a file as ours ("pets" in ASCII), so that the database of another program is never changed. */
const applicationId = 0x70657473;

/**
 * Runs all missing migrations in one transaction. A file with the newest schema is only read, so that a start does not wait for a writer.
 * Returns undefined unless it migrated an older file.
 */
export function migrate(db: Database, path: string): Migration | undefined {
	const newest = migrations.length;
	if (readVersion(db, path) === newest) return undefined;
	const done = db.transaction(() => {
		const begun = performance.now();
		const from = readVersion(db, path);
		if (from < newest) migrateTo((sql) => db.run(sql), newest, from);
		if (from === 0)
			db.run("UPDATE catalogue SET feed_base = ?", [`${toFirstBase()}`]);
		return { from, to: newest, ms: Math.round(performance.now() - begun) };
	});
	const migration = done.immediate();
	const { from } = migration;
	return from === 0 || from === newest ? undefined : migration;
}

/**
 * What the header of a file says, without opening it in SQLite; undefined if the file is not ours. The WAL may have a newer header.
 * https://sqlite.org/fileformat.html#the_database_header
 */
export function readHeader(
	path: string,
): { version: number; hasWal: boolean } | undefined {
	const header = Buffer.alloc(100);
	try {
		const file = openSync(path, "r");
		readSync(file, header);
		closeSync(file);
	} catch {
		return undefined;
	}
	const isOurs =
		header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
		header.readUInt32BE(68) === applicationId;
	const hasWal = header[18] !== 1 || header[19] !== 1;
	return isOurs ? { version: header.readUInt32BE(60), hasWal } : undefined;
}

/** SQLite stores statements with their comments, which may differ between versions. */
export function withoutComments(sql: string): string {
	return sql.replace(/--.*$/gm, "").replace(/\s+/g, " ");
}

/** A new database in memory with this schema. */
export function openWithSchema(version: number): Database {
	const db = openConnection(":memory:", { readwrite: true });
	migrateTo((sql) => db.run(sql), version, 0);
	return db;
}

export function migrateTo(
	run: (sql: string) => unknown,
	version: number,
	from: number,
): void {
	for (const migration of migrations.slice(from, version)) run(migration);
	run(`PRAGMA application_id = ${applicationId}`);
	run(`PRAGMA user_version = ${version}`);
}

/** For commands that only read, and never migrate: returns the schema of the file. */
export function requireSchema(db: Database, path: string): number {
	const version = readVersion(db, path);
	if (version < 1)
		throw new OperatorError(
			`${path} holds no pet store; choose another database.`,
		);
	return version;
}

/** Throws if the file is not ours, or newer than this program. */
function readVersion(db: Database, path: string): number {
	const isEmpty = db.query("SELECT 1 FROM sqlite_schema").get() === null;
	if (!isEmpty && readPragma(db, "application_id") !== applicationId)
		throw new OperatorError(
			`${path} belongs to another program; choose another file.`,
		);
	const version = readPragma(db, "user_version");
	refuseNewer(version, migrations.length, path);
	return version;
}

export function readPragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
