// The schema of a SQLite file, and the migrations that bring an older file to it.
import type { Database } from "bun:sqlite";
import { OperatorError } from "../../contract/errors.ts";
import type { PetStatus } from "../../contract/pet.ts";
import { toFirstBase } from "../feed.ts";

/** Each is applied once, in this order; the file's `user_version` counts them. One that has shipped is never edited. */
export const migrations = [
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
	// A key keeps its row, and the hash that its Idempotency-Keys are stored under, when it gets another secret.
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
	// The feed of changes. Its positions and the ids of animals come from one counter, so an animal that was added has its place in the feed
	// by its id, and needs no row here.
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
		feed_base TEXT NOT NULL -- what readers add to a position, in decimal, since it may be above int64
	) STRICT;
	INSERT INTO catalogue SELECT 1, lower(hex(randomblob(4))), CAST(base AS TEXT) FROM feed;
	DROP TABLE feed;`,
	// Usage has further levels, which src/store/usage-levels.ts lists. The clean-up moves the rows of hours to them, a few at a time, since
	// there may be millions. This changes nothing, but older programs must not open the file any more.
	"SELECT 1",
];

/** The index of the animals with each status, from the migrations above. A further status needs a further migration. */
export const statusIndexes: Readonly<Record<PetStatus, string>> = {
	available: "pets_available",
	pending: "pets_pending",
	sold: "pets_sold",
};

/** Marks a file as ours ("pets" in ASCII), so that the database of another program is never changed. */
const applicationId = 0x70657473;

/** All in one transaction. A file that has the newest schema is only read, so that nothing waits for a process that writes to it. */
export function migrate(db: Database, path: string): void {
	if (readVersion(db, path).version === migrations.length) return;
	db.transaction(() => {
		const { version } = readVersion(db, path);
		if (version === migrations.length) return;
		for (const migration of migrations.slice(version)) db.run(migration);
		if (version === 0)
			db.run("UPDATE catalogue SET feed_base = ?", [`${toFirstBase()}`]);
		db.run(`PRAGMA application_id = ${applicationId}`);
		db.run(`PRAGMA user_version = ${migrations.length}`);
	}).immediate();
}

/** For commands that only read: nothing is migrated, so the file must have the newest schema. */
export function requireNewest(db: Database, path: string): void {
	const { version } = readVersion(db, path);
	if (version === 0) throw new OperatorError(`${path} holds no pet store.`);
	if (version < migrations.length)
		throw new OperatorError(
			`${path} has schema ${version} of an older version of petstore (this one reads ${migrations.length}); start the service on it once, which migrates it.`,
		);
}

/** Throws if the file is not ours, or newer than this program. */
export function readVersion(
	db: Database,
	path: string,
): { version: number; newest: number } {
	const isEmpty = db.query("SELECT 1 FROM sqlite_schema").get() === null;
	if (!isEmpty && readPragma(db, "application_id") !== applicationId)
		throw new OperatorError(
			`${path} is the database of another program; name another file.`,
		);
	const version = readPragma(db, "user_version");
	if (version > migrations.length)
		throw new OperatorError(
			`${path} was written by a newer version of petstore (schema ${version}, this one knows ${migrations.length}); use that version, or restore a backup that was made before the upgrade.`,
		);
	return { version, newest: migrations.length };
}

export function readPragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
