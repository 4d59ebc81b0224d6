// The API keys in SQLite.
import type { Database } from "bun:sqlite";
import type { KeyScope } from "../../../domain/key-scope.ts";
import {
	allKeys,
	type Forgetting,
	findForgettingRefusal,
	findRotationRefusal,
	type Key,
	type KeyPage,
	type Keys,
	type NewSecret,
	type Rotation,
} from "../../keys.ts";
import {
	type FoundKeyRow,
	foundKeyColumns,
	type KeyRow,
	keyColumns,
	toFoundKey,
	toKey,
} from "../../rows.ts";
import { retryWhileBusy } from "../database.ts";
import type { EventLoopWriter } from "./writer/writes.ts";

export function openKeys(db: Database, writer: EventLoopWriter): Keys {
	const statements = prepareStatements(db);
	const get = (id: number) => {
		const row = statements.get.get(id);
		return row === null ? undefined : toKey(row);
	};

	function rotate(
		id: number,
		{ hash, prefix, at, overlapMs }: NewSecret,
	): Rotation {
		const key = get(id);
		const outcome = findRotationRefusal(key, at);
		if (key === undefined || outcome !== undefined)
			return { outcome: outcome ?? "missing" };
		statements.deleteSecrets.run(id, at);
		statements.endSecrets.run(at + overlapMs, id);
		statements.addSecret.run(hash, id);
		statements.setPrefix.run(prefix, id);
		return { outcome: "rotated", key: { ...key, prefix } };
	}

	function forget(id: number, at: number): Forgetting {
		const refusal = findForgettingRefusal(get(id), at);
		if (refusal !== undefined) return refusal;
		statements.deleteAllSecrets.run(id);
		statements.delete.run(id);
		return "forgotten";
	}

	return {
		add: (key) =>
			writer.run(() => {
				const { name, hash, prefix, scope, createdAt, expiresAt } = key;
				const { lastInsertRowid } = statements.add.run(
					name,
					hash,
					prefix,
					scope,
					createdAt,
					expiresAt ?? null,
				);
				const id = Number(lastInsertRowid);
				statements.addSecret.run(hash, id);
				return { ...key, id, revokedAt: undefined, lastUsedAt: undefined };
			}),

		list: (page) => retryWhileBusy(() => listKeys(db, page)),

		find: (hash) =>
			retryWhileBusy(() => {
				const row = statements.find.get(hash);
				return row === null ? undefined : toFoundKey(row);
			}),

		rename: (id, name) =>
			writer.run(() => {
				statements.rename.run(name, id);
				return get(id);
			}),

		revoke: (id, at) =>
			writer.run(() => {
				const key = get(id);
				statements.revoke.run(at, id);
				return key;
			}),

		forget: (id, at) => writer.run(() => forget(id, at)),

		rotate: (id, secret) => writer.run(() => rotate(id, secret)),

		recordUse: (id, at) => writer.write("recordKeyUse", id, at),
	};
}

export function listKeys(
	db: Database,
	{ after, limit }: KeyPage = allKeys,
): Key[] {
	return db
		.query<KeyRow, [number, number]>(
			`SELECT ${keyColumns} FROM keys WHERE id > ? ORDER BY id LIMIT ?`,
		)
		.all(after, limit)
		.map(toKey);
}

function prepareStatements(db: Database) {
	return {
		add: db.query<
			never,
			[string, string, string, KeyScope, number, number | null]
		>(
			`INSERT INTO keys (name, hash, prefix, scope, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?)`,
		),
		addSecret: db.query<never, [string, number]>(
			"INSERT INTO key_secrets (hash, key_id) VALUES (?, ?)",
		),
		find: db.query<FoundKeyRow, [string]>(
			`SELECT ${foundKeyColumns} FROM key_secrets JOIN keys ON keys.id = key_secrets.key_id
			WHERE key_secrets.hash = ?`,
		),
		get: db.query<KeyRow, [number]>(
			`SELECT ${keyColumns} FROM keys WHERE id = ?`,
		),
		rename: db.query<never, [string, number]>(
			"UPDATE keys SET name = ? WHERE id = ?",
		),
		revoke: db.query<never, [number, number]>(
			"UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
		),
		delete: db.query<never, [number]>("DELETE FROM keys WHERE id = ?"),
		deleteAllSecrets: db.query<never, [number]>(
			"DELETE FROM key_secrets WHERE key_id = ?",
		),
		deleteSecrets: db.query<never, [number, number]>(
			"DELETE FROM key_secrets WHERE key_id = ? AND expires_at <= ?",
		),
		endSecrets: db.query<never, [number, number]>(
			"UPDATE key_secrets SET expires_at = min(ifnull(expires_at, ?1), ?1) WHERE key_id = ?2",
		),
		setPrefix: db.query<never, [string, number]>(
			"UPDATE keys SET prefix = ? WHERE id = ?",
		),
	};
}
