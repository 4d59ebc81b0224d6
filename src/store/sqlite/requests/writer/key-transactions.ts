// The transactions that give an API key its secrets, and that delete both.
import type { Database } from "bun:sqlite";
import type { EngineRow } from "../../../archive/tables.ts";
import {
	findRotationRefusal,
	type Key,
	keyColumns,
	type NewKey,
	type NewSecret,
	type Rotation,
	toKey,
} from "../../../keys.ts";

export function prepareKeyTransactions(db: Database) {
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

		rotateKey(id: number, secret: NewSecret): Rotation {
			const { hash, prefix, at, overlapMs } = secret;
			const row = db
				.query<EngineRow, [number]>(
					`SELECT ${keyColumns} FROM keys WHERE id = ?`,
				)
				.get(id);
			if (row === null) return { outcome: "missing" };
			const key = toKey(row);
			const outcome = findRotationRefusal(key, at);
			if (outcome !== undefined) return { outcome };
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

		deleteKey(id: number): boolean {
			db.run("DELETE FROM key_secrets WHERE key_id = ?", [id]);
			return db.run("DELETE FROM keys WHERE id = ?", [id]).changes > 0;
		},
	};
}
