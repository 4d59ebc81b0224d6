// The embedded engine: one SQLite file, or memory.
import type { Database } from "bun:sqlite";
import type { KeyScope, Pet, PetStatus } from "../contract.ts";
import { createBatch } from "./batch.ts";
import { readAll, writeAll } from "./sqlite-copy.ts";
import {
	openDatabase,
	untilUnlocked,
	whenUnlocked,
	write,
} from "./sqlite-database.ts";
import { createPages } from "./sqlite-pages.ts";
import {
	type KeyRow,
	keyColumns,
	optional,
	petColumns,
	toKey,
} from "./sqlite-rows.ts";
import { openWriter } from "./sqlite-writer.ts";
import { type Addition, maxForgotten, prepareWrites } from "./sqlite-writes.ts";
import type { Key, NewKey, Store } from "./store.ts";

/** Takes a path, or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(path: string, create: boolean): Store {
	const { db, statements } = openDatabase(path, create, prepareStatements);
	const pages = createPages(db, ({ limit, maxId, status }) =>
		status === undefined
			? statements.listPets.all(maxId, limit)
			: statements.listPetsByStatus.all(status, maxId, limit),
	);
	// Memory belongs to one connection, and waits for no disk.
	const writer = path === ":memory:" ? prepareWrites(db) : openWriter(path);

	const addPets = createBatch(async (additions: readonly Addition[]) => {
		const added = await writer.addPets(additions);
		pages.forget();
		return added;
	}, maxAdditions);

	return {
		listPets: (page) => whenUnlocked(() => pages.list(page)),

		getPet: (id) => whenUnlocked(() => statements.getPet.get(id) ?? undefined),

		addPet: (pet, idempotency) => addPets({ pet, idempotency }),

		async forgetIdempotencyKeys(before) {
			while ((await writer.forgetIdempotencyKeys(before)) === maxForgotten);
		},

		addKey: (key) => write(db, () => addKey(statements, key)),

		listKeys: () => untilUnlocked(() => statements.listKeys.all().map(toKey)),

		findKey: (hash) =>
			untilUnlocked(() => optional(statements.findKey.get(hash), toKey)),

		revokeKey: (id, at) =>
			write(db, () => {
				const key = optional(statements.getKey.get(id), toKey);
				statements.revokeKey.run(at, id);
				return key;
			}),

		recordKeyUse: writer.recordKeyUse,

		readAll: () => readAll(db),

		async writeAll(pieces) {
			await writeAll(db, pieces);
			pages.forget();
		},

		async ping() {
			await untilUnlocked(() => statements.ping.get());
		},

		async close() {
			await writer.close();
			db.close();
		},
	};
}

/** A flood makes the turns of the event loop long, and each brings the writing thread one trip. */
const maxAdditions = 1_024;

function addKey(statements: Statements, key: NewKey): Key {
	const { name, hash, prefix, scope, createdAt, expiresAt } = key;
	const { lastInsertRowid } = statements.addKey.run(
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
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
	return {
		listPets: db.query<Pet, [bigint, number]>(
			`SELECT ${petColumns} FROM pets WHERE id <= ? ORDER BY id DESC LIMIT ?`,
		),
		listPetsByStatus: db.query<Pet, [PetStatus, bigint, number]>(
			`SELECT ${petColumns} FROM pets WHERE status = ? AND id <= ? ORDER BY id DESC LIMIT ?`,
		),
		getPet: db.query<Pet, [bigint]>(
			`SELECT ${petColumns} FROM pets WHERE id = ?`,
		),
		addKey: db.query<
			never,
			[string, string, string, KeyScope, number, number | null]
		>(
			`INSERT INTO keys (name, hash, prefix, scope, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?)`,
		),
		listKeys: db.query<KeyRow, []>(
			`SELECT ${keyColumns} FROM keys ORDER BY id`,
		),
		findKey: db.query<KeyRow, [string]>(
			`SELECT ${keyColumns} FROM keys WHERE hash = ?`,
		),
		getKey: db.query<KeyRow, [number]>(
			`SELECT ${keyColumns} FROM keys WHERE id = ?`,
		),
		revokeKey: db.query<never, [number, number]>(
			"UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
		),
		ping: db.query("SELECT 1 FROM pets LIMIT 1"),
	};
}
