// What both engines know of a schema: how a database gets the newest one, its first rows, and what this program refuses.
import { OperatorError } from "../../domain/errors.ts";
import { type Access, isWriting } from "./engine.ts";
import { toFirstBase } from "./state.ts";
import { toSchema } from "./tables.ts";

/** Makes the tables of an earlier version those of `tables.ts`, in the SQL of SQLite. A step never changes; schema 1 is that of 1.0.0. */
export const schemaSteps: readonly string[] = [
	`CREATE TABLE moved AS SELECT last, base FROM counter;
	DROP TABLE counter;
	CREATE TABLE counter (
		number INTEGER,
		last INTEGER NOT NULL,
		base TEXT NOT NULL,
		course TEXT NOT NULL,
		deltas TEXT NOT NULL,
		folded INTEGER NOT NULL,
		available INTEGER NOT NULL,
		pending INTEGER NOT NULL,
		sold INTEGER NOT NULL,
		PRIMARY KEY (number)
	) STRICT;
	INSERT INTO counter SELECT 1, last, base, '', '{}', 0,
		(SELECT coalesce(sum(pets), 0) FROM counts WHERE status = 'available'),
		(SELECT coalesce(sum(pets), 0) FROM counts WHERE status = 'pending'),
		(SELECT coalesce(sum(pets), 0) FROM counts WHERE status = 'sold') FROM moved;
	DROP TABLE moved;
	DELETE FROM counts WHERE pets = 0;
	CREATE INDEX keys_by_revocation ON keys (revoked_at);
	CREATE INDEX keys_by_expiry ON keys (expires_at);
	CREATE INDEX imports_by_end ON imports (finished_at);
	CREATE INDEX edits_by_time ON edits (at);
	CREATE INDEX sessions_by_use ON sessions (last_used_at);
	CREATE INDEX sessions_by_creation ON sessions (created_at);
	CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);
	ALTER TABLE catalogue ADD COLUMN content_hash TEXT;
	ALTER TABLE catalogue ADD COLUMN bytes INTEGER;`,
];

/** The tables of earlier versions, which backups may have, as far as they differ from those of `tables.ts`. */
export const earlierTables: readonly string[] = [
	`CREATE TABLE counter (one INTEGER CHECK (one = 1), last INTEGER NOT NULL, base TEXT NOT NULL, PRIMARY KEY (one)) STRICT`,
	`CREATE TABLE catalogue (one INTEGER CHECK (one = 1), id TEXT NOT NULL, last_key_id INTEGER NOT NULL, made_at INTEGER,
		backed_up_at INTEGER, backup_tried_at INTEGER, backup_failure TEXT, backup_failures INTEGER NOT NULL, PRIMARY KEY (one)) STRICT`,
];

export function refuseEarlier(name: string): OperatorError {
	return new OperatorError(
		`${name} was made by another program, or by an earlier checkout of this one; choose another database.`,
	);
}

/** What a database with this schema lacks; one with schema 0 is empty, and gets the newest tables at once. */
export function toMissing(
	steps: readonly string[],
	version: number,
	name: string,
	access: Access,
): readonly string[] {
	const newest = steps.length + 1;
	if (version > newest)
		throw new OperatorError(
			`${name} has schema ${version} of a newer version; this version knows schema ${newest}. Use the newer version, or restore a backup from before the upgrade.`,
		);
	if (version === 0 && access !== "create")
		throw new OperatorError(
			`${name} holds no pet store; choose another database.`,
		);
	if (access === "read" && version < newest)
		throw new OperatorError(
			`${name} has schema ${version} of an earlier version; start the service of this version on it first.`,
		);
	if (!isWriting(access)) return [];
	return version === 0 ? [toSchema()] : steps.slice(version - 1);
}

/** Of the tables with one row. */
export function toFirstRows(): string {
	return `INSERT INTO counter VALUES (1, 0, '${toFirstBase()}', '', '{}', 0, 0, 0, 0);
		INSERT INTO catalogue (one, id, last_key_id, backup_failures) VALUES (1, '${newCatalogueId()}', 0, 0)`;
}

export function newCatalogueId(): string {
	// Not by node:crypto, which takes long to load.
	return crypto.getRandomValues(new Uint8Array(4)).toHex();
}
