// What a SQLite database must hold before an archive is written into it: nothing, no animals, or nothing any more.
import type { Database } from "bun:sqlite";
import { readLastId } from "./read.ts";

/** Runs at the begin of the transaction. Returns undefined if the database cannot be written into. */
export type Preparation = (db: Database) => Prepared | undefined;

export interface Prepared {
	/** The last id that the database has assigned before. */
	readonly lastId: bigint;
	/** Runs after all parts were written. */
	readonly complete: () => void;
}

export function holdsNothing(db: Database): Prepared | undefined {
	const found = db
		.query(
			"SELECT 1 FROM keys UNION ALL SELECT 1 FROM idempotency_keys LIMIT 1",
		)
		.get();
	return found === null ? heldNoPets(db) : undefined;
}

/** The last id shows whether there were animals before. */
export function heldNoPets(db: Database): Prepared | undefined {
	const found = db.query("SELECT 1 FROM pets LIMIT 1").get();
	return found === null && readLastId(db) === 0n
		? { lastId: 0n, complete() {} }
		: undefined;
}

/** The ids that were assigned stay assigned, also those of animals that are not among the new ones. */
export function deleteAll(db: Database): Prepared {
	const lastId = readLastId(db);
	db.run(`CREATE TEMP TABLE taken AS SELECT id FROM pets
		UNION SELECT pet_id FROM changes WHERE kind = 'removed'`);
	for (const table of tables) db.run(`DELETE FROM ${table}`);
	return {
		lastId,
		complete() {
			db.run(`INSERT OR IGNORE INTO changes (position, pet_id, kind)
				SELECT id, id, 'removed' FROM taken WHERE id NOT IN (SELECT id FROM pets)`);
			db.run("DROP TABLE taken");
		},
	};
}

/** Those with foreign keys before the tables that they refer to. */
const tables = [
	...["key_secrets", "keys", "sessions", "sign_in_links"],
	...["idempotency_keys", "pets", "changes", "usage", "imports"],
];
