// What a PostgreSQL database must hold before an archive is written into it: nothing, no animals, or nothing any more.
import type { ClientBase } from "pg";
import { query } from "../database.ts";
import { readLastId } from "./read.ts";

/** Runs at the begin of the transaction. Returns undefined if the database cannot be written into. */
export type Preparation = (client: ClientBase) => Promise<Prepared | undefined>;

export interface Prepared {
	/** The last id that the database has assigned before. */
	readonly lastId: bigint;
	/** Runs after all parts were written. */
	readonly complete: () => Promise<void>;
}

export async function holdsNothing(
	client: ClientBase,
): Promise<Prepared | undefined> {
	const found = await query(
		client,
		`SELECT 1 FROM petstore.keys
		UNION ALL SELECT 1 FROM petstore.idempotency_keys LIMIT 1`,
	);
	return found.length === 0 ? heldNoPets(client) : undefined;
}

/** The last id shows whether there were animals before. */
export async function heldNoPets(
	client: ClientBase,
): Promise<Prepared | undefined> {
	const found = await query(client, "SELECT 1 FROM petstore.pets LIMIT 1");
	return found.length === 0 && (await readLastId(client)) === 0n
		? { lastId: 0n, async complete() {} }
		: undefined;
}

/**
 * The ids that were assigned stay assigned, also those of animals that are not among the new ones. By DELETE, since TRUNCATE would keep
 * lists waiting.
 */
export async function deleteAll(client: ClientBase): Promise<Prepared> {
	await query(
		client,
		`CREATE TEMP TABLE taken ON COMMIT DROP AS SELECT id FROM petstore.pets
		UNION SELECT pet_id FROM petstore.changes WHERE kind = 'removed'`,
	);
	for (const table of tables)
		await query(client, `DELETE FROM petstore.${table}`);
	return {
		// After the lock, so that no add can move it any more.
		lastId: await readLastId(client),
		async complete() {
			await query(
				client,
				`INSERT INTO petstore.changes (position, pet_id, kind)
				SELECT id, id, 'removed' FROM taken
				WHERE NOT EXISTS (SELECT FROM petstore.pets WHERE pets.id = taken.id)
				ON CONFLICT DO NOTHING`,
			);
		},
	};
}

/** Those with foreign keys before the tables that they refer to. */
const tables = [
	...["key_secrets", "keys", "sessions", "sign_in_links"],
	...["idempotency_keys", "pets", "changes", "usage", "imports"],
];
