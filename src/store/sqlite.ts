// The embedded engine: one SQLite file, or memory. Only this file and its schema know bun:sqlite.
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
	idempotencyLifetimeMs,
	type NewPet,
	type Pet,
	type PetStatus,
} from "../contract.ts";
import { OperatorError, unavailable } from "../errors.ts";
import { createBatch } from "./batch.ts";
import { prepare } from "./sqlite-schema.ts";
import type {
	Added,
	Idempotency,
	Key,
	KeyScope,
	NewKey,
	Store,
} from "./store.ts";

/** Takes a path, or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(path: string, create: boolean): Store {
	const { db, statements } = openDatabase(path, create);

	const addPets = createBatch(
		(additions: readonly Addition[]) =>
			write(db, () => additions.map((addition) => add(statements, addition))),
		maxAddsPerCommit,
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
			// In slices, so that no transaction is long.
			for (;;) {
				const { changes } = await write(db, () =>
					statements.forgetIdempotencyKeys.run(before, maxForgottenPerCommit),
				);
				if (changes < maxForgottenPerCommit) return;
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

		async ping() {
			await untilUnlocked(() => statements.ping.get());
		},

		async close() {
			db.close();
		},
	};
}

const maxAddsPerCommit = 256;
const maxForgottenPerCommit = 1_000;
const lockDeadlineMs = 2_000;
const lockRetryMs = 5;

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
	const petColumns = "id, name, category_id AS categoryId, status";
	const keyColumns = `id, name, hash, prefix, scope,
		created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt`;
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
			WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - 60000)`,
		),
		ping: db.query("SELECT 1 FROM pets LIMIT 1"),
	};
}

interface KeyRow {
	readonly id: bigint;
	readonly name: string;
	readonly hash: string;
	readonly prefix: string;
	readonly scope: KeyScope;
	readonly createdAt: bigint;
	readonly expiresAt: bigint | null;
	readonly revokedAt: bigint | null;
	readonly lastUsedAt: bigint | null;
}

function toKey(row: KeyRow): Key {
	return {
		...row,
		id: Number(row.id),
		createdAt: Number(row.createdAt),
		expiresAt: optional(row.expiresAt, Number),
		revokedAt: optional(row.revokedAt, Number),
		lastUsedAt: optional(row.lastUsedAt, Number),
	};
}

function optional<From, To>(
	value: From | null,
	convert: (value: From) => To,
): To | undefined {
	return value === null ? undefined : convert(value);
}

function write<T>(db: Database, work: () => T): Promise<T> {
	const transaction = db.transaction(work);
	// IMMEDIATE: a transaction that turns from reading to writing fails without waiting.
	return untilUnlocked(() => transaction.immediate());
}

/** Tries again while another process holds the lock that the work needs, until the deadline. */
async function untilUnlocked<T>(work: () => T): Promise<T> {
	const deadline = performance.now() + lockDeadlineMs;
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline)
				throw toFailure(error);
			await sleep(lockRetryMs);
		}
	}
}

function isBusy(error: unknown): boolean {
	return (
		error instanceof SQLiteError &&
		error.code?.startsWith("SQLITE_BUSY") === true
	);
}

/** What the engine or its disk refuses is `unavailable`; a mistake in our SQL stays what it is. */
function toFailure(error: unknown): unknown {
	return error instanceof SQLiteError && engineTrouble.test(error.code ?? "")
		? unavailable("The store cannot answer now; try again.", error)
		: error;
}

const engineTrouble =
	/^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/;

function openDatabase(path: string, create: boolean) {
	if (path !== ":memory:") findFile(path, create);
	try {
		const db = new Database(path, {
			readwrite: true,
			strict: true,
			safeIntegers: true,
		});
		// Only until the first request may SQLite itself wait for another process: that stops the event loop.
		db.run("PRAGMA busy_timeout = 5000");
		prepare(db, path);
		const statements = prepareStatements(db);
		db.run("PRAGMA busy_timeout = 0");
		return { db, statements };
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		throw new OperatorError(
			`The database ${path} cannot be used: ${error.message}.`,
		);
	}
}

/** SQLite gives its log the permissions of the file, and would give the file those of everybody. */
function findFile(path: string, create: boolean): void {
	if (existsSync(path)) return;
	if (!create) throw new OperatorError(`There is no database at ${path}.`);
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		closeSync(openSync(path, "a", 0o600));
	} catch (error) {
		throw new OperatorError(
			`The database ${path} cannot be created: ${error instanceof Error ? error.message : error}.`,
		);
	}
}
