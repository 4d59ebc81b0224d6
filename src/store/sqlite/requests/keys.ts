// The API keys in SQLite.
import type { Database } from "bun:sqlite";
import { allKeys, type Key, type KeyPage, type Keys } from "../../keys.ts";
import {
	type FoundKeyRow,
	foundKeyColumns,
	type KeyRow,
	keyColumns,
	toFoundKey,
	toKey,
} from "../../rows.ts";
import { retryWhileBusy } from "../database.ts";
import type { Writer } from "./writer/writer.ts";

export function openKeys(db: Database, { write }: Writer): Keys {
	const find = db.query<FoundKeyRow, [string]>(
		`SELECT ${foundKeyColumns} FROM key_secrets JOIN keys ON keys.id = key_secrets.key_id
		WHERE key_secrets.hash = ?`,
	);
	return {
		add: (key) => write("addKey", key),
		list: (page) => retryWhileBusy(() => listKeys(db, page)),
		find: (hash) =>
			retryWhileBusy(() => {
				const row = find.get(hash);
				return row === null ? undefined : toFoundKey(row);
			}),
		rename: (id, name) => write("renameKey", id, name),
		revoke: (id, at) => write("revokeKey", id, at),
		forget: (id, at) => write("forgetKey", id, at),
		rotate: (id, secret) => write("rotateKey", id, secret),
		recordUse: (id, at) => write("recordKeyUse", id, at),
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
