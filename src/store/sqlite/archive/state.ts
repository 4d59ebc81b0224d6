// What a SQLite database must hold before an archive is written into it: nothing, no animals, or nothing any more.
import type { Database } from "bun:sqlite";
import { maxReachableId } from "../../archive.ts";
import { readLastId } from "../epoch.ts";

/** Runs at the begin of the transaction. Returns false if the database cannot be written into. */
export type Preparation = (db: Database) => boolean;

/** A service that has no animals and keys yet may have counted requests and signed someone in: that goes. */
export function holdsNothing(db: Database): boolean {
	const found = db
		.query(
			"SELECT 1 FROM keys UNION ALL SELECT 1 FROM idempotency_keys LIMIT 1",
		)
		.get();
	return found === null && heldNoPets(db) && removeAll(db);
}

/** The last id shows whether there were animals before. */
export function heldNoPets(db: Database): boolean {
	const found = db.query("SELECT 1 FROM pets LIMIT 1").get();
	return found === null && readLastId(db) === 0n;
}

/** Ids that were assigned stay assigned: all animals become removed ones. Those that come back lose that entry by `forgetRestored`. */
export function removeAll(db: Database): boolean {
	db.run("DELETE FROM changes WHERE kind <> 'removed'");
	// An id is free as a position, but may be that of another row until that row has moved.
	db.run("UPDATE changes SET position = -pet_id");
	db.run("UPDATE changes SET position = pet_id");
	db.run(`INSERT INTO changes (position, pet_id, kind)
		SELECT id, id, 'removed' FROM pets WHERE id <= ${maxReachableId}`);
	for (const table of tables) db.run(`DELETE FROM ${table}`);
	return true;
}

/** After all animals were written. */
export function forgetRestored(db: Database): void {
	db.run("DELETE FROM changes WHERE pet_id IN (SELECT id FROM pets)");
	db.run(`DELETE FROM changes WHERE position > ${maxReachableId}`);
}

/** Those with foreign keys before the tables that they refer to. */
const tables = [
	...["key_secrets", "keys", "sessions", "sign_in_links"],
	...["idempotency_keys", "pets", "usage", "imports"],
];
