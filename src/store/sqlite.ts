// The embedded engine: one SQLite file, or memory.
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
	idempotencyLifetimeMs,
	type KeyScope,
	keyUseIntervalMs,
	type NewPet,
	type Pet,
	type PetStatus,
} from "../contract.ts";
import { createBatch } from "./batch.ts";
import { readAll, writeAll } from "./sqlite-copy.ts";
import { openDatabase, untilUnlocked, write } from "./sqlite-database.ts";
import {
	type KeyRow,
	keyColumns,
	optional,
	petColumns,
	toKey,
} from "./sqlite-rows.ts";
import type { Added, Idempotency, Key, NewKey, Store } from "./store.ts";

/** Takes a path, or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(path: string, create: boolean): Store {
	const { db, statements } = openDatabase(path, create, prepareStatements);

	const addPets = createBatch((additions: readonly Addition[]) =>
		write(db, () => additions.map((addition) => add(statements, addition))),
	);

	return {
		listPets: ({ limit, maxId, status }) =>
			untilUnlocked(() =>
				status === undefined
					? statements.listPets.all(maxId, limit)
					: statements.listPetsByStatus.all(status, maxId, limit),
			),

		getPet: (id) => untilUnlocked(() => statements.getPet.get(id) ?? undefined),

		addPet: (pet, idempotency) => addPets({ pet, idempotency }),

		async forgetIdempotencyKeys(before) {
			// In slices, so that nobody waits for long.
			for (;;) {
				const { changes } = await write(db, () =>
					statements.forgetIdempotencyKeys.run(before, maxForgottenPerCommit),
				);
				if (changes < maxForgottenPerCommit) return;
				await nextTurn();
			}
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

		async recordKeyUse(id, at) {
			await write(db, () => statements.recordKeyUse.run(at, id));
		},

		readAll: () => readAll(db),

		writeAll: (pieces) => writeAll(db, pieces),

		async ping() {
			await untilUnlocked(() => statements.ping.get());
		},

		async close() {
			db.close();
		},
	};
}

const maxForgottenPerCommit = 200;

interface Addition {
	readonly pet: NewPet;
	readonly idempotency: Idempotency | undefined;
}

function add(statements: Statements, { pet, idempotency }: Addition): Added {
	if (idempotency === undefined)
		return { outcome: "added", id: insertPet(statements, pet) };
	const { owner, key, fingerprint, at } = idempotency;
	const earlier = statements.findIdempotencyKey.get(
		owner,
		key,
		at - idempotencyLifetimeMs,
	);
	if (earlier === null) {
		const id = insertPet(statements, pet);
		statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);
		return { outcome: "added", id };
	}
	return earlier.fingerprint === fingerprint
		? { outcome: "replayed", id: earlier.petId }
		: { outcome: "mismatch" };
}

function insertPet(statements: Statements, pet: NewPet): bigint {
	const { lastInsertRowid } = statements.addPet.run(
		pet.name,
		pet.categoryId,
		pet.status,
	);
	return BigInt(lastInsertRowid);
}

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
		addPet: db.query<never, [string, bigint, PetStatus]>(
			"INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)",
		),
		findIdempotencyKey: db.query<
			{ fingerprint: string; petId: bigint },
			[string, string, number]
		>(
			`SELECT fingerprint, pet_id AS petId FROM idempotency_keys
			WHERE owner = ? AND key = ? AND used_at > ?`,
		),
		// REPLACE: one that is past its time may still be there.
		saveIdempotencyKey: db.query<
			never,
			[string, string, string, bigint, number]
		>(
			`INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			VALUES (?, ?, ?, ?, ?)`,
		),
		forgetIdempotencyKeys: db.query<never, [number, number]>(
			`DELETE FROM idempotency_keys WHERE (owner, key) IN
			(SELECT owner, key FROM idempotency_keys WHERE used_at < ? LIMIT ?)`,
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
		recordKeyUse: db.query<never, [number, number]>(
			`UPDATE keys SET last_used_at = ?1
			WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ${keyUseIntervalMs})`,
		),
		ping: db.query("SELECT 1 FROM pets LIMIT 1"),
	};
}
