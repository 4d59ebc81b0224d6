// A SQLite file to a database of ours at the newest schema, or one sentence why not.
import type { Database } from "bun:sqlite";
import { OperatorError } from "../../contract/errors.ts";

/** Each is applied once, in this order; the file's `user_version` counts them. One that has shipped is never edited. */
const migrations = [
	`CREATE TABLE pets (
		id INTEGER PRIMARY KEY AUTOINCREMENT, -- AUTOINCREMENT: an id is not given twice, even if its row is removed
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
	// One index for each status: an add at its end writes fewer pages than amid one for all (3.1 against 3.6 µs), and less is stored.
	`CREATE INDEX pets_available ON pets (id) WHERE status = 'available';
	CREATE INDEX pets_pending ON pets (id) WHERE status = 'pending';
	CREATE INDEX pets_sold ON pets (id) WHERE status = 'sold';
	DROP INDEX pets_by_status;`,
];

/** Marks a file as ours ("pets" in ASCII), so that no other program's database is ever changed. */
const applicationId = 0x70657473;

export function bringUpToDate(db: Database, path: string): void {
	requireSqlite(db);
	db.transaction(() => migrate(db, path)).immediate();
	const [[journal] = []] = db.query("PRAGMA journal_mode = WAL").values();
	if (journal !== "wal" && path !== ":memory:")
		throw new OperatorError(
			`${path} cannot have a write-ahead log where it is; choose a local disk.`,
		);
	db.run("PRAGMA synchronous = FULL");
	// See sqlite-log.ts.
	db.run("PRAGMA wal_autocheckpoint = 0");
	db.run(`PRAGMA journal_size_limit = ${maxIdleLogBytes}`);
}

/** The log grows while it is in use, and is cut to this when it starts anew. */
const maxIdleLogBytes = 8 * 1024 * 1024;

/** SQLite 3.7.0 to 3.51.2 can lose committed writes when it resets its log. */
function requireSqlite(db: Database): void {
	const { version = "" } =
		db
			.query<{ version: string }, []>("SELECT sqlite_version() AS version")
			.get() ?? {};
	if (Bun.semver.order(version, "3.51.3") < 0)
		throw new OperatorError(
			`SQLite ${version} can lose committed writes, so 3.51.3 or later is needed: use the Bun that "npm ci" installs.`,
		);
}

function migrate(db: Database, path: string): void {
	const isEmpty = db.query("SELECT 1 FROM sqlite_schema").get() === null;
	if (!isEmpty && pragma(db, "application_id") !== applicationId)
		throw new OperatorError(
			`${path} is the database of another program; name another file with --database.`,
		);
	const version = pragma(db, "user_version");
	if (version > migrations.length)
		throw new OperatorError(
			`${path} was written by a newer version of petstore (schema ${version}, this one knows ${migrations.length}); use that version.`,
		);
	if (version === migrations.length) return;
	for (const migration of migrations.slice(version)) db.run(migration);
	db.run(`PRAGMA application_id = ${applicationId}`);
	db.run(`PRAGMA user_version = ${migrations.length}`);
}

function pragma(db: Database, name: string): number {
	const [[value] = []] = db.query(`PRAGMA ${name}`).values();
	return Number(value);
}
