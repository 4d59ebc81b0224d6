// The API keys in PostgreSQL. Callers that look up keys at the same time share a query.
import { storeUnavailable } from "../../../domain/errors.ts";
import { keyLookupMs } from "../../../limits.ts";
import type { EngineRow } from "../../archive/tables.ts";
import {
	type FoundKey,
	findRotationRefusal,
	type Keys,
	keyColumns,
	type NewSecret,
	type OwnKeys,
	openKeys as openSharedKeys,
	type Rotation,
	toFindKeys,
	toFoundKey,
	toKey,
} from "../../keys.ts";
import { createBatch } from "../../queue/batch.ts";
import {
	type Database,
	maxAttempts,
	query,
	toRequests,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";

export function openKeys(db: Database): Keys {
	const find = createBatch((hashes: readonly string[]) =>
		withAnswerTimeout(findKeys(db, hashes), keyLookupMs),
	);
	const requests = toRequests(db);
	const own: OwnKeys = {
		async add(key) {
			const { name, hash, prefix, scope, createdAt, expiresAt } = key;
			const values = [name, hash, prefix, scope, createdAt, expiresAt ?? null];
			const [row] = await withAnswerTimeout(
				query<{ id: string }>(db.writes, statements.addKey, values),
			);
			const id = Number(row?.id);
			return { ...key, id, revokedAt: undefined, lastUsedAt: undefined };
		},
		find: (hash) => withAnswerTimeout(find(hash), keyLookupMs),
		rotate: (id, secret) => withAnswerTimeout(rotate(db, id, secret)),
		async delete(id) {
			const deleted = await requests.write(
				`WITH secrets AS (DELETE FROM petstore.key_secrets WHERE key_id = $1)
				DELETE FROM petstore.keys WHERE id = $1 RETURNING id`,
				[id],
			);
			return deleted.length > 0;
		},
	};
	return openSharedKeys(requests, own, "FOR UPDATE SKIP LOCKED");
}

async function findKeys(
	db: Database,
	hashes: readonly string[],
): Promise<(FoundKey | undefined)[]> {
	const rows = await query<EngineRow>(db, statements.findKeys, [hashes]);
	const found = new Map(rows.map((row) => [row.secret, toFoundKey(row)]));
	return hashes.map((hash) => found.get(hash));
}

/**
 * A statement sees the secrets as they were when it began. If another rotation has added one since, `rotations` has changed: nothing is
 * written, and it tries again.
 */
async function rotate(
	db: Database,
	id: number,
	{ hash, prefix, at, overlapMs }: NewSecret,
): Promise<Rotation> {
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		const [found] = await query<EngineRow>(db, statements.getKey, [id]);
		if (found === undefined) return { outcome: "missing" };
		const outcome = findRotationRefusal(toKey(found), at);
		if (outcome !== undefined) return { outcome };
		const [key] = await query<EngineRow>(db.writes, statements.rotateKey, [
			id,
			found.rotations,
			prefix,
			hash,
			at,
			at + overlapMs,
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
	findKeys: toFindKeys("= ANY ($1::text[])"),
	getKey: `SELECT ${keyColumns}, rotations FROM petstore.keys WHERE id = $1`,
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
});
