// The transactions that change API keys.
import type { Database } from "bun:sqlite";
import { keyUseIntervalMs } from "../../../../limits.ts";
import {
	type Forgetting,
	findForgettingRefusal,
	findRotationRefusal,
	type Key,
	maxClockSkewMs,
	type NewKey,
	type NewSecret,
	type Rotation,
} from "../../../keys.ts";
import { type KeyRow, keyColumns, toKey } from "../../../rows.ts";

export function prepareKeyTransactions(db: Database) {
	const recordUse = db.query(
		`UPDATE keys SET last_used_at = ?1
		WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ${keyUseIntervalMs} OR last_used_at > ?1 + ${maxClockSkewMs})`,
	);
	const findKey = db.query<KeyRow, [number]>(
		`SELECT ${keyColumns} FROM keys WHERE id = ?`,
	);
	const getKey = (id: number): Key | undefined => {
		const row = findKey.get(id);
		return row === null ? undefined : toKey(row);
	};
	const addSecret = (hash: string, id: number) =>
		db.run("INSERT INTO key_secrets (hash, key_id) VALUES (?, ?)", [hash, id]);

	return {
		addKey(key: NewKey): Key {
			const { name, hash, prefix, scope, createdAt, expiresAt = null } = key;
			const { lastInsertRowid } = db.run(
				"INSERT INTO keys (name, hash, prefix, scope, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
				[name, hash, prefix, scope, createdAt, expiresAt],
			);
			const id = Number(lastInsertRowid);
			addSecret(hash, id);
			return { ...key, id, revokedAt: undefined, lastUsedAt: undefined };
		},

		renameKey(id: number, name: string): Key | undefined {
			db.run("UPDATE keys SET name = ? WHERE id = ?", [name, id]);
			return getKey(id);
		},

		revokeKey(id: number, at: number): Key | undefined {
			const key = getKey(id);
			db.run(
				"UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
				[at, id],
			);
			return key;
		},

		forgetKey(id: number, at: number): Forgetting {
			const refusal = findForgettingRefusal(getKey(id), at);
			if (refusal !== undefined) return refusal;
			db.run("DELETE FROM key_secrets WHERE key_id = ?", [id]);
			db.run("DELETE FROM keys WHERE id = ?", [id]);
			return "forgotten";
		},

		rotateKey(id: number, secret: NewSecret): Rotation {
			const { hash, prefix, at, overlapMs } = secret;
			const key = getKey(id);
			const outcome = findRotationRefusal(key, at);
			if (key === undefined || outcome !== undefined)
				return { outcome: outcome ?? "missing" };
			db.run("DELETE FROM key_secrets WHERE key_id = ? AND expires_at <= ?", [
				id,
				at,
			]);
			db.run(
				"UPDATE key_secrets SET expires_at = min(ifnull(expires_at, ?1), ?1) WHERE key_id = ?2",
				[at + overlapMs, id],
			);
			addSecret(hash, id);
			db.run("UPDATE keys SET prefix = ? WHERE id = ?", [prefix, id]);
			return { outcome: "rotated", key: { ...key, prefix } };
		},

		recordKeyUse(id: number, at: number): void {
			recordUse.run(at, id);
		},
	};
}
