// The writes of a running service, each in a transaction of its own.
import type { Database } from "bun:sqlite";
import { toVersionTest } from "../../../../contract/version.ts";
import { idsExhausted } from "../../../../domain/errors.ts";
import { maxInt64 } from "../../../../domain/json.ts";
import type { PetStatus } from "../../../../domain/pet.ts";
import {
	idempotencyLifetimeMs,
	keyUseIntervalMs,
	sqliteCleanUpRows,
	usageFlushCounts,
} from "../../../../limits.ts";
import {
	type Added,
	type Addition,
	type Changed,
	type ChangeRefused,
	type FoundPet,
	type PetChange,
	toPlan,
} from "../../../catalogue.ts";
import { maxClockSkewMs } from "../../../keys.ts";
import { toFoundPetColumns } from "../../../rows.ts";
import { durationCount } from "../../../usage.ts";
import { oldHours } from "../../../usage-levels.ts";
import {
	durationColumns,
	toUsageRow,
	toUsageRows,
	type UsageRow,
	type UsageValues,
} from "../../../usage-rows.ts";
import { createWrite, type Write, type WriteHooks } from "../../database.ts";
import { isFull } from "../../errors.ts";
import { readLastId } from "../../feed/epoch.ts";
import { prepareFeedWrites } from "../../feed/feed.ts";
import type { FileGuard } from "../../files/file-guard.ts";
import { type CheckpointOptions, createCheckpointer } from "../../files/wal.ts";

/** What is done in one transaction each, by name. */
type Calls = ReturnType<typeof prepareCalls>;
export type WriteName = keyof Calls;
export type WriteValues<Name extends WriteName> = Parameters<Calls[Name]>;
export type Written<Name extends WriteName> = ReturnType<Calls[Name]>;

export interface Writer {
	/** Does one of the writes in a transaction of its own. */
	readonly write: <Name extends WriteName>(
		name: Name,
		...values: WriteValues<Name>
	) => Promise<Written<Name>>;
	/** Ends the writer thread, if there is one. */
	readonly close: () => Promise<void>;
}

/** A writer on the event loop can also run any other transaction there. */
export interface EventLoopWriter extends Writer {
	readonly run: Write;
}

export function prepareWrites(
	db: Database,
	guard: FileGuard,
	options: CheckpointOptions & Pick<WriteHooks, "onCommit"> = {},
): EventLoopWriter {
	const calls: {
		[Name in WriteName]: (...values: WriteValues<Name>) => Written<Name>;
	} = prepareCalls(db);
	const run = createWrite(db, guard, {
		...options,
		beforeBegin: createCheckpointer(db, options),
	});
	return {
		run,
		write: (name, ...values) => run(() => calls[name](...values)),
		close: async () => {},
	};
}

export function prepareCalls(db: Database) {
	const statements = prepareStatements(db);
	return {
		addPets: (additions: readonly Addition[]): readonly Added[] =>
			orExhausted(db, () =>
				additions.map((addition) => addOne(statements, addition)),
			),
		/** All of them, or none. */
		changePets: (changes: readonly PetChange[]) =>
			changePets(statements, changes),
		/** Deletes some of those that were used before this time. Only some, so that no request waits long for the transaction. */
		deleteIdempotencyKeys(usedBefore: number): void {
			statements.deleteIdempotencyKeys.run(usedBefore, sqliteCleanUpRows);
		},
		recordKeyUse(id: number, at: number): void {
			statements.recordKeyUse.run(at, id);
		},
		addUsage: (rows: readonly UsageRow[]) => addUsage(statements, rows),
		/** Moves some of the rows that older programs have written to the levels. */
		moveOldHours: () => moveOldHours(statements),
		/** Deletes some of the rows that start before this time. */
		deleteUsage(level: string, startsBefore: number): void {
			statements.deleteUsage.run(level, startsBefore, sqliteCleanUpRows);
		},
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

function addOne(statements: Statements, addition: Addition): Added {
	const { idempotency } = addition;
	if (idempotency === undefined)
		return { outcome: "added", id: insertPet(statements, addition) };
	const { owner, key, fingerprint, at } = idempotency;
	const earlier = statements.findIdempotencyKey.get(
		owner,
		key,
		at - idempotencyLifetimeMs,
	);
	if (earlier === null) {
		const id = insertPet(statements, addition);
		statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);
		return { outcome: "added", id };
	}
	return earlier.fingerprint === fingerprint
		? { outcome: "replayed", id: earlier.petId, at: Number(earlier.usedAt) }
		: { outcome: "mismatch" };
}

function insertPet(statements: Statements, { pet, origin }: Addition): bigint {
	const { lastInsertRowid } = statements.insertPet.run(
		pet.name,
		pet.categoryId,
		pet.status,
		origin.at,
		origin.by,
	);
	return BigInt(lastInsertRowid);
}

function changePets(
	statements: Statements,
	changes: readonly PetChange[],
): Changed {
	const { checked, results, refused } = toPlan(changes);
	const index = checked.findIndex(
		({ petId, condition = null }) =>
			statements.fulfils.get(petId, condition) === null,
	);
	if (index >= 0) return refuse(statements, index, checked[index]?.petId);
	if (refused !== undefined) return refused;
	for (const [petId, set] of results) changeOne(statements, petId, set);
	const pets = new Map<bigint, FoundPet | undefined>();
	for (const petId of results.keys())
		pets.set(petId, statements.getPet.get(petId) ?? undefined);
	return {
		outcome: "changed",
		pets: changes.map(({ petId }) => pets.get(petId)),
	};
}

function refuse(
	statements: Statements,
	index: number,
	petId = 0n,
): ChangeRefused {
	const pet = statements.getPet.get(petId);
	return pet === null
		? { outcome: "missing", index }
		: { outcome: "differs", index, pet };
}

function changeOne(
	statements: Statements,
	petId: bigint,
	set: PetChange["set"],
): void {
	if (set === undefined) {
		statements.removePet.run(petId);
		statements.saveChange(petId, "removed");
		return;
	}
	const { name = null, categoryId = null, status = null } = set;
	const { changes } = statements.changePet.run(petId, name, categoryId, status);
	if (changes > 0)
		statements.setVersion.run(statements.saveChange(petId, "changed"), petId);
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

/** Whether the animal ?1 has a version that the condition ?2 names. */
const fulfils = `id = ?1 AND (?2 IS NULL OR ${toVersionTest(
	"?2",
	"(SELECT feed_base FROM catalogue)",
	"ifnull(version, id)",
	(text, part) => `instr(${text}, ${part})`,
)})`;

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
	return {
		insertPet: db.query<
			never,
			[string, bigint, PetStatus, number, number | null]
		>(
			"INSERT INTO pets (name, category_id, status, added_at, added_by) VALUES (?, ?, ?, ?, ?)",
		),
		getPet: db.query<FoundPet, [bigint]>(
			`SELECT ${toFoundPetColumns("")} FROM pets WHERE id = ?`,
		),
		fulfils: db.query<{ id: bigint }, [bigint, string | null]>(
			`SELECT id FROM pets WHERE ${fulfils}`,
		),
		changePet: db.query<
			never,
			[bigint, string | null, bigint | null, PetStatus | null]
		>(
			`UPDATE pets SET name = ifnull(?2, name), category_id = ifnull(?3, category_id), status = ifnull(?4, status)
			WHERE id = ?1 AND (name, category_id, status) IS NOT (ifnull(?2, name), ifnull(?3, category_id), ifnull(?4, status))`,
		),
		removePet: db.query<never, [bigint]>("DELETE FROM pets WHERE id = ?"),
		setVersion: db.query<never, [bigint, bigint]>(
			"UPDATE pets SET version = ? WHERE id = ?",
		),
		saveChange: prepareFeedWrites(db),
		findIdempotencyKey: db.query<
			{ fingerprint: string; petId: bigint; usedAt: bigint },
			[string, string, number]
		>(
			`SELECT fingerprint, pet_id AS petId, used_at AS usedAt FROM idempotency_keys
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
