// The API keys in PostgreSQL.
import { storeUnavailable } from "../../../domain/errors.ts";
import { keyLookupMs, keyUseIntervalMs } from "../../../limits.ts";
import {
	allKeys,
	type Forgetting,
	type FoundKey,
	findForgettingRefusal,
	findRotationRefusal,
	type Key,
	type KeyPage,
	type Keys,
	maxClockSkewMs,
	type NewSecret,
	type Rotation,
} from "../../keys.ts";
import { createBatch } from "../../queue/batch.ts";
import {
	type FoundKeyRow,
	foundKeyColumns,
	type KeyRow,
	keyColumns,
	toFoundKey,
	toKey,
} from "../../rows.ts";
import {
	type Database,
	maxAttempts,
	type Queryable,
	query,
	type Statement,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";

export function openKeys(db: Database): Keys {
	const find = createBatch((hashes: readonly string[]) =>
		withAnswerTimeout(findKeys(db, hashes), keyLookupMs),
	);
	const write = async (statement: Statement, values: unknown[]) => {
		const [key] = await withAnswerTimeout(
			query<KeyRow>(db.writes, statement, values),
		);
		return key && toKey(key);
	};
	return {
		async add(key) {
			const { name, hash, prefix, scope, createdAt, expiresAt } = key;
			const values = [name, hash, prefix, scope, createdAt, expiresAt ?? null];
			const [row] = await withAnswerTimeout(
				query<{ id: string }>(db.writes, statements.addKey, values),
			);
			const id = Number(row?.id);
			return { ...key, id, revokedAt: undefined, lastUsedAt: undefined };
		},
		list: (page) => withAnswerTimeout(listKeys(db, page)),
		find: (hash) => withAnswerTimeout(find(hash), keyLookupMs),
		rename: (id, name) => write(statements.renameKey, [name, id]),
		revoke: (id, at) => write(statements.revokeKey, [at, id]),
		forget: (id, at) => withAnswerTimeout(forget(db, id, at)),
		rotate: (id, secret) => withAnswerTimeout(rotate(db, id, secret)),
		async recordUse(id, at) {
			await write(statements.recordKeyUse, [at, id]);
		},
	};
}

export async function listKeys(
	db: Queryable,
	{ after, limit }: KeyPage = allKeys,
): Promise<Key[]> {
	const rows = await query<KeyRow>(db, statements.listKeys, [after, limit]);
	return rows.map(toKey);
}

async function findKeys(
	db: Database,
	hashes: readonly string[],
): Promise<(FoundKey | undefined)[]> {
	const rows = await query<FoundKeyRow & { secret: string }>(
		db,
		statements.findKeys,
		[hashes],
	);
	const found = new Map(
		rows.map(({ secret, ...row }) => [secret, toFoundKey(row)]),
	);
	return hashes.map((hash) => found.get(hash));
}

/** A revoked key stays revoked and gets no further secrets, so what was read cannot be outdated. */
async function forget(
	db: Database,
	id: number,
	at: number,
): Promise<Forgetting> {
	const [found] = await query<KeyRow>(db, statements.getKey, [id]);
	const refusal = findForgettingRefusal(found && toKey(found), at);
	if (refusal !== undefined) return refusal;
	const deleted = await query(db.writes, statements.deleteKey, [id]);
	return deleted.length === 0 ? "missing" : "forgotten";
}

/**
 * One statement sees the secrets as they were when it began. If another rotation has added one since, `rotations` is not what was read,
 * nothing is done, and it begins again.
 */
async function rotate(
	db: Database,
	id: number,
	{ hash, prefix, at, overlapMs }: NewSecret,
): Promise<Rotation> {
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const [found] = await query<KeyRow & { rotations: string }>(
			db,
			statements.getKey,
			[id],
		);
		const outcome = findRotationRefusal(found && toKey(found), at);
		if (found === undefined || outcome !== undefined)
			return { outcome: outcome ?? "missing" };
		const [key] = await query<KeyRow>(db.writes, statements.rotateKey, [
			...[id, found.rotations, prefix, hash, at, at + overlapMs],
		]);
		if (key !== undefined) return { outcome: "rotated", key: toKey(key) };
	}
	throw storeUnavailable();
}

const statements = toStatements({
	addKey: `WITH added AS (
			INSERT INTO petstore.keys (name, hash, prefix, scope, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6) RETURNING id, hash
		), secret AS (
			INSERT INTO petstore.key_secrets (hash, key_id) SELECT hash, id FROM added
		) SELECT id FROM added`,
	listKeys: `SELECT ${keyColumns} FROM petstore.keys WHERE id > $1 ORDER BY id LIMIT $2`,
	findKeys: `SELECT key_secrets.hash AS secret, ${foundKeyColumns}
		FROM petstore.key_secrets JOIN petstore.keys ON keys.id = key_secrets.key_id
		WHERE key_secrets.hash = ANY ($1::text[])`,
	getKey: `SELECT ${keyColumns}, rotations FROM petstore.keys WHERE id = $1`,
	renameKey: `UPDATE petstore.keys SET name = $1 WHERE id = $2 RETURNING ${keyColumns}`,
	// The subquery gives the row as it was before.
	revokeKey: `UPDATE petstore.keys SET revoked_at = COALESCE(keys.revoked_at, $1)
		FROM (SELECT ${keyColumns} FROM petstore.keys WHERE id = $2 FOR UPDATE) AS before
		WHERE keys.id = before.id RETURNING before.*`,
	rotateKey: `WITH rotated AS (
			UPDATE petstore.keys SET prefix = $3, rotations = rotations + 1
			WHERE id = $1 AND rotations = $2 AND revoked_at IS NULL RETURNING *
		), expired AS (
			DELETE FROM petstore.key_secrets USING rotated
			WHERE key_id = rotated.id AND key_secrets.expires_at <= $5::int8
		), replaced AS (
			UPDATE petstore.key_secrets SET expires_at = LEAST(key_secrets.expires_at, $6::int8) FROM rotated
			WHERE key_id = rotated.id AND (key_secrets.expires_at IS NULL OR key_secrets.expires_at > $5::int8)
		), added AS (
			INSERT INTO petstore.key_secrets (hash, key_id) SELECT $4, id FROM rotated
		) SELECT ${keyColumns} FROM rotated`,
	// The reference of the secrets to the key is checked when the statement ends.
	deleteKey: `WITH secrets AS (DELETE FROM petstore.key_secrets WHERE key_id = $1)
		DELETE FROM petstore.keys WHERE id = $1 RETURNING 1`,
	// If the row is locked, the use is recorded the next time.
	recordKeyUse: `UPDATE petstore.keys SET last_used_at = $1::int8 WHERE id = (
			SELECT id FROM petstore.keys
			WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $1::int8 - ${keyUseIntervalMs}
				OR last_used_at > $1::int8 + ${maxClockSkewMs})
			FOR UPDATE SKIP LOCKED
		)`,
});
