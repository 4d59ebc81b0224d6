// The API keys in SQLite.
import type { Database } from "bun:sqlite";
import type { KeyScope } from "../../contract/api-key.ts";
import type { Key, Keys } from "../keys.ts";
import { retryWhileBusy, write } from "./database.ts";
import { type KeyRow, keyColumns, optional, toKey } from "./rows.ts";
import type { Writes } from "./writer/writes.ts";

export function openKeys(db: Database, writer: Writes): Keys {
	const statements = prepareStatements(db);
	return {
		add: (key) =>
			write(db, () => {
				const { name, hash, prefix, scope, createdAt, expiresAt } = key;
				const { lastInsertRowid } = statements.add.run(
					name,
					hash,
					prefix,
					scope,
					createdAt,
					expiresAt ?? null,
				);
				return {
					...key,
					id: Number(lastInsertRowid),
					revokedAt: undefined,
					lastUsedAt: undefined,
				};
			}),

		list: () => retryWhileBusy(() => listKeys(db)),

		find: (hash) =>
			retryWhileBusy(() => optional(statements.find.get(hash), toKey)),

		revoke: (id, at) =>
			write(db, () => {
				const key = optional(statements.get.get(id), toKey);
				statements.revoke.run(at, id);
				return key;
			}),

		recordUse: writer.recordKeyUse,
	};
}

export function listKeys(db: Database): Key[] {
	return db
		.query<KeyRow, []>(`SELECT ${keyColumns} FROM keys ORDER BY id`)
		.all()
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
		find: db.query<KeyRow, [string]>(
			`SELECT ${keyColumns} FROM keys WHERE hash = ?`,
		),
		get: db.query<KeyRow, [number]>(
			`SELECT ${keyColumns} FROM keys WHERE id = ?`,
		),
		revoke: db.query<never, [number, number]>(
			"UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
		),
	};
}
