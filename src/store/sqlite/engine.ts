// The embedded engine: one SQLite file, or memory.
import type { Database } from "bun:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeyScope } from "../../contract/v1.ts";
import { createBatch } from "../batch.ts";
import type { Addition, Key, NewKey, Store } from "../store.ts";
import { readAll, writeAll } from "./archive.ts";
import { watchChanges } from "./commit-counter.ts";
import {
	openDatabase,
	untilUnlocked,
	whenUnlocked,
	write,
} from "./database.ts";
import { openReads, prepareReads } from "./reads.ts";
import { type KeyRow, keyColumns, optional, toKey } from "./rows.ts";
import { placeWrites } from "./writer.ts";
import { prepareWrites } from "./writes.ts";

/** Takes a path, or `:memory:`. Without `create`, the file must be there. */
export function openSqlite(path: string, create: boolean): Store {
	const { db, statements } = openDatabase(path, create, prepareStatements);
	const changes = watchChanges(db, path);
	// Memory belongs to one connection, and waits for no disk.
	const isMemory = path === ":memory:";
	const reads = isMemory ? prepareReads(db) : openReads(path, changes.version);
	const writes = isMemory
		? prepareWrites(db, { waitMs: 0 })
		: placeWrites(db, path, reads.end);
	const addPets = createBatch(
		(additions: readonly Addition[]) => writes.addPets(additions),
		trips,
	);

	return {
		listPets: (page) => whenUnlocked(reads.listPets, page),

		getPet: (id) => whenUnlocked(reads.getPet, id),

		addPet: (pet, idempotency) => addPets({ pet, idempotency }),

		async forgetIdempotencyKeys(before) {
			const isPast = () => statements.findPastIdempotencyKey.get(before);
			while ((await untilUnlocked(isPast)) !== null) {
				await writes.forgetIdempotencyKeys(before);
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

		recordKeyUse: writes.recordKeyUse,

		readAll: () => readAll(db),

		writeAll: (pieces) => writeAll(db, pieces),

		async ping() {
			await untilUnlocked(() => statements.ping.get());
		},

		async close() {
			changes.stop();
			reads.close();
			await writes.close();
			db.close();
		},
	};
}

const trips = {
	/** A turn of the event loop ends with one trip, so that it takes more than a turn brings: see turn.ts. */
	maxRiders: 1_024,
	/** Nobody can arrive during a commit on the event loop, so who is a moment late is waited for: 32 callers share one, not 5. */
	patienceMs: 1,
};

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
		findPastIdempotencyKey: db.query<{ key: string }, [number]>(
			"SELECT key FROM idempotency_keys WHERE used_at < ? LIMIT 1",
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
