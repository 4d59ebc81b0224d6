// The API keys in PostgreSQL.
import { keyUseIntervalMs } from "../../limits.ts";
import { createBatch } from "../batch.ts";
import type { Key, Keys } from "../keys.ts";
import {
	type Database,
	type Queryable,
	query,
	toStatements,
	withAnswerTimeout,
	withLookupTimeout,
} from "./database.ts";
import { type KeyRow, keyColumns, toKey } from "./rows.ts";

export function openKeys(db: Database): Keys {
	const find = createBatch((hashes: readonly string[]) =>
		withLookupTimeout(findKeys(db, hashes)),
	);
	return {
		async add(key) {
			const { name, hash, prefix, scope, createdAt, expiresAt } = key;
			const [row] = await withAnswerTimeout(
				query<{ id: string }>(db.writes, statements.addKey, [
					name,
					hash,
					prefix,
					scope,
					createdAt,
					expiresAt ?? null,
				]),
			);
			return {
				...key,
				id: Number(row?.id),
				revokedAt: undefined,
				lastUsedAt: undefined,
			};
		},

		list: () => withAnswerTimeout(listKeys(db)),

		find: (hash) => withLookupTimeout(find(hash)),

		async revoke(id, at) {
			const [key] = await withAnswerTimeout(
				query<KeyRow>(db.writes, statements.revokeKey, [at, id]),
			);
			return key && toKey(key);
		},

		async recordUse(id, at) {
			await withAnswerTimeout(
				query(db.writes, statements.recordKeyUse, [at, id]),
			);
		},
	};
}

export async function listKeys(db: Queryable): Promise<Key[]> {
	return (await query<KeyRow>(db, statements.listKeys)).map(toKey);
}

async function findKeys(
	db: Database,
	hashes: readonly string[],
): Promise<(Key | undefined)[]> {
	const rows = await query<KeyRow>(db, statements.findKeys, [hashes]);
	const found = new Map(rows.map((row) => [row.hash, toKey(row)]));
	return hashes.map((hash) => found.get(hash));
}

const statements = toStatements({
	addKey: `INSERT INTO petstore.keys (name, hash, prefix, scope, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
	listKeys: `SELECT ${keyColumns} FROM petstore.keys ORDER BY id`,
	findKeys: `SELECT ${keyColumns} FROM petstore.keys WHERE hash = ANY ($1::text[])`,
	// The subquery gives the row as it was before.
	revokeKey: `UPDATE petstore.keys SET revoked_at = COALESCE(keys.revoked_at, $1)
		FROM (SELECT ${keyColumns} FROM petstore.keys WHERE id = $2 FOR UPDATE) AS before
		WHERE keys.id = before.id RETURNING before.*`,
	// If the row is locked, the use is recorded the next time.
	recordKeyUse: `UPDATE petstore.keys SET last_used_at = $1::int8 WHERE id = (
			SELECT id FROM petstore.keys
			WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $1::int8 - ${keyUseIntervalMs})
			FOR UPDATE SKIP LOCKED
		)`,
});
