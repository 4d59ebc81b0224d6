// What a PostgreSQL database must hold before an archive is written into it: nothing, no animals, or nothing any more.
import type { ClientBase } from "pg";
import { maxReachableId } from "../../archive.ts";
import { query } from "../database.ts";
import { readLastId } from "../epoch.ts";

/** Runs at the begin of the transaction. Returns false if the database cannot be written into. */
export type Preparation = (client: ClientBase) => Promise<boolean>;

/** A service that has no animals and keys yet may have counted requests and signed someone in: that goes. */
export async function holdsNothing(client: ClientBase): Promise<boolean> {
	const found = await query(
		client,
		`SELECT 1 FROM petstore.keys
		UNION ALL SELECT 1 FROM petstore.idempotency_keys LIMIT 1`,
	);
	if (found.length > 0 || !(await heldNoPets(client))) return false;
	return removeAll(client);
}

/** The last id shows whether there were animals before. */
export async function heldNoPets(client: ClientBase): Promise<boolean> {
	const found = await query(client, "SELECT 1 FROM petstore.pets LIMIT 1");
	return found.length === 0 && (await readLastId(client)) === 0n;
}

/**
 * Ids that were assigned stay assigned: all animals become removed ones. Those that come back lose that entry by `forgetRestored`. By
 * DELETE, since TRUNCATE would keep lists waiting.
 */
export async function removeAll(client: ClientBase): Promise<boolean> {
	for (const text of [
		"DELETE FROM petstore.changes WHERE kind <> 'removed'",
		// An id is free as a position, but may be that of another row until that row has moved.
		"UPDATE petstore.changes SET position = -pet_id",
		"UPDATE petstore.changes SET position = pet_id",
		`INSERT INTO petstore.changes (position, pet_id, kind)
		SELECT id, id, 'removed' FROM petstore.pets WHERE id <= ${maxReachableId}`,
		...tables.map((table) => `DELETE FROM petstore.${table}`),
	])
		await query(client, text);
	return true;
}

/** After all animals were written. */
export async function forgetRestored(client: ClientBase): Promise<void> {
	await query(
		client,
		"DELETE FROM petstore.changes USING petstore.pets WHERE pets.id = pet_id",
	);
	await query(
		client,
		`DELETE FROM petstore.changes WHERE position > ${maxReachableId}`,
	);
}

/** Those with foreign keys before the tables that they refer to. */
const tables = [
	...["key_secrets", "keys", "sessions", "sign_in_links"],
	...["idempotency_keys", "pets", "usage", "imports"],
];

/** All tables that an archive writes or empties. */
export const lockedTables = [...tables, "changes", "catalogue"].map(
	(table) => `petstore.${table}`,
);
