// The writes of a running service, each in a transaction of its own.
import type { Database } from "bun:sqlite";
import { idsExhausted } from "../../../contract/errors.ts";
import { maxInt64 } from "../../../contract/json.ts";
import type { NewPet, Pet, PetStatus } from "../../../contract/pet.ts";
import {
	idempotencyLifetimeMs,
	keyUseIntervalMs,
	maxClockSkewMs,
	sqliteCleanUpRows,
	usageFlushCounts,
} from "../../../limits.ts";
import type { Added, Addition, Changed, PetChange } from "../../catalogue.ts";
import { applyChanges } from "../../changes.ts";
import { durationCount } from "../../usage.ts";
import { oldHours } from "../../usage-levels.ts";
import {
	durationColumns,
	toUsageRow,
	toUsageRows,
	type UsageRow,
	type UsageValues,
} from "../../usage-rows.ts";
import { createWrite, type Write, type WriteHooks } from "../database.ts";
import { readLastId } from "../epoch.ts";
import { isFull } from "../errors.ts";
import { prepareFeedWrites } from "../feed.ts";
import type { FileGuard } from "../file-guard.ts";
import { petColumns } from "../rows.ts";
import { type CheckpointOptions, createCheckpointer } from "../wal.ts";

export interface Writes {
	/** All of them in one transaction. */
	addPets(additions: readonly Addition[]): Promise<readonly Added[]>;
	/** All of them in one transaction, or none. */
	changePets(changes: readonly PetChange[]): Promise<Changed>;
	/** Deletes some of those that were used before this time. Only some, so that no request waits long for the transaction. */
	deleteIdempotencyKeys(usedBefore: number): Promise<void>;
	recordKeyUse(id: number, at: number): Promise<void>;
	/** All of them in one transaction. */
	addUsage(rows: readonly UsageRow[]): Promise<void>;
	/** Moves some of the rows that older programs have written to the levels. */
	moveOldHours(): Promise<void>;
	/** Deletes some of the rows that start before this time. */
	deleteUsage(level: string, startsBefore: number): Promise<void>;
	/** Ends the writer thread, if there is one. */
	close(): Promise<void>;
}

/** A Writer that writes on the event loop can also run any other transaction there. */
export interface Writer extends Writes {
	readonly run: Write;
}

export function prepareWrites(
	db: Database,
	guard: FileGuard,
	options: CheckpointOptions & Pick<WriteHooks, "onCommit"> = {},
): Writer {
	const statements = prepareStatements(db);
	const commit = createWrite(db, guard, {
		...options,
		beforeBegin: createCheckpointer(db, options),
	});

	return {
		run: commit,

		addPets: (additions) =>
			commit(() =>
				orExhausted(db, () =>
					additions.map((addition) => addOne(statements, addition)),
				),
			),

		changePets: (changes) => commit(() => changePets(statements, changes)),

		async deleteIdempotencyKeys(usedBefore) {
			await commit(() =>
				statements.deleteIdempotencyKeys.run(usedBefore, sqliteCleanUpRows),
			);
		},

		async recordKeyUse(id, at) {
			await commit(() => statements.recordKeyUse.run(at, id));
		},

		async addUsage(rows) {
			await commit(() => addUsage(statements, rows));
		},

		moveOldHours: () => commit(() => moveOldHours(statements)),

		async deleteUsage(level, startsBefore) {
			await commit(() =>
				statements.deleteUsage.run(level, startsBefore, sqliteCleanUpRows),
			);
		},

		async close() {},
	};
}

/** SQLite has one error for a full disk and for ids that are used up. */
function orExhausted<Result>(db: Database, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		throw isFull(error) && readLastId(db) === maxInt64 ? idsExhausted : error;
	}
}

function addOne(statements: Statements, { pet, idempotency }: Addition): Added {
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
	const { lastInsertRowid } = statements.insertPet.run(
		pet.name,
		pet.categoryId,
		pet.status,
	);
	return BigInt(lastInsertRowid);
}

function changePets(
	statements: Statements,
	changes: readonly PetChange[],
): Changed {
	const changed = applyChanges(
		changes,
		(petId) => statements.getPet.get(petId) ?? undefined,
	);
	if (changed.outcome !== "changed") return changed;
	for (const [index, { petId }] of changes.entries()) {
		const pet = changed.pets[index];
		if (pet === undefined) statements.removePet.run(petId);
		else statements.changePet.run(pet.name, pet.categoryId, pet.status, petId);
	}
	statements.saveChanges(changes, changed);
	return changed;
}

function addUsage(statements: Statements, rows: readonly UsageRow[]): void {
	for (const { period, startsAt, key, operation, status, ...row } of rows)
		statements.addUsage.run(
			period,
			startsAt,
			key,
			operation,
			status,
			row.requests,
			...row.durations,
		);
}

function moveOldHours(statements: Statements): void {
	const { name, levels } = oldHours;
	const rows = statements.someUsage.all(name, usageFlushCounts).map(toUsageRow);
	const counts = rows.map((row) => ({ ...row, at: row.startsAt }));
	addUsage(statements, toUsageRows(counts, levels));
	for (const { startsAt, key, operation, status } of rows)
		statements.deleteUsageRow.run(name, startsAt, key, operation, status);
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
	return {
		insertPet: db.query<never, [string, bigint, PetStatus]>(
			"INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)",
		),
		getPet: db.query<Pet, [bigint]>(
			`SELECT ${petColumns} FROM pets WHERE id = ?`,
		),
		changePet: db.query<never, [string, bigint, PetStatus, bigint]>(
			"UPDATE pets SET name = ?, category_id = ?, status = ? WHERE id = ?",
		),
		removePet: db.query<never, [bigint]>("DELETE FROM pets WHERE id = ?"),
		saveChanges: prepareFeedWrites(db),
		findIdempotencyKey: db.query<
			{ fingerprint: string; petId: bigint },
			[string, string, number]
		>(
			`SELECT fingerprint, pet_id AS petId FROM idempotency_keys
			WHERE owner = ? AND key = ? AND used_at > ?`,
		),
		// REPLACE, since an expired one may still be there.
		saveIdempotencyKey: db.query<
			never,
			[string, string, string, bigint, number]
		>(
			`INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			VALUES (?, ?, ?, ?, ?)`,
		),
		deleteIdempotencyKeys: db.query<never, [number, number]>(
			`DELETE FROM idempotency_keys WHERE (owner, key) IN
			(SELECT owner, key FROM idempotency_keys WHERE used_at < ? LIMIT ?)`,
		),
		recordKeyUse: db.query<never, [number, number]>(
			`UPDATE keys SET last_used_at = ?1
			WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ${keyUseIntervalMs} OR last_used_at > ?1 + ${maxClockSkewMs})`,
		),
		addUsage: db.query<
			never,
			[string, number, string, string, number, number, ...number[]]
		>(
			`INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?${", ?".repeat(durationCount)})
			ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
			${durationColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
		),
		someUsage: db.query<UsageValues, [string, number]>(
			"SELECT * FROM usage WHERE period = ? LIMIT ?",
		),
		deleteUsageRow: db.query<never, [string, number, string, string, number]>(
			"DELETE FROM usage WHERE period = ? AND starts_at = ? AND key = ? AND operation = ? AND status = ?",
		),
		deleteUsage: db.query<never, [string, number, number]>(
			`DELETE FROM usage WHERE (period, starts_at, key, operation, status) IN
			(SELECT period, starts_at, key, operation, status FROM usage WHERE period = ? AND starts_at < ? LIMIT ?)`,
		),
	};
}
