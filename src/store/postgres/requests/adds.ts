// Adding animals to PostgreSQL: all of a batch in one statement, so in one transaction.
import { givenNames } from "../../../domain/pet.ts";
import { idempotencyLifetimeMs } from "../../../limits.ts";
import {
	type Added,
	type Addition,
	type Idempotency,
	isFirstWithItsKey,
	type StoredAddition,
	toMapKey,
	toRepeated,
} from "../../catalogue.ts";
import { addedColumns, toList } from "../../rows.ts";
import { type Database, query, toStatements } from "../database.ts";
import { nextId } from "../feed/epoch.ts";
import { givenTypes, toArrays } from "../rows.ts";

/** Returns a result for each addition; a promise if it depends on a second query. */
export async function addPets(
	db: Database,
	additions: readonly Addition[],
): Promise<(Added | Promise<Added>)[]> {
	const numbered = additions.map((addition, index) => ({ ...addition, index }));
	const attempts = numbered.filter(isFirstWithItsKey());
	const ids = await insertPets(db, attempts);
	const stored = findStored(db, attempts, ids);
	// An animal that was added is acknowledged even if the second query fails.
	return numbered.map((addition) => {
		const id = ids.get(addition.index);
		if (id !== undefined) return { outcome: "added", id };
		const name = toMapKey(addition.idempotency);
		const repeated = stored.then((all) => toRepeated(addition, all.get(name)));
		// When the batch has timed out, nothing waits for this, and an unhandled rejection would end the process.
		repeated.catch(() => {});
		return repeated;
	});
}

interface NumberedAddition extends Addition {
	readonly index: number;
}

/** The ids of the animals that were added, by index: all without an Idempotency-Key, and those whose key was free. */
async function insertPets(
	db: Database,
	additions: readonly NumberedAddition[],
): Promise<Map<number, bigint>> {
	const rows = await query<{ index: number; id: string }>(
		db.writes,
		statements.addPets,
		[
			additions.map(({ index }) => index),
			...givenNames.map((name) => additions.map(({ pet }) => pet[name])),
			additions.map(({ origin }) => origin?.at ?? Date.now()),
			additions.map(({ origin }) => origin?.by ?? null),
			additions.map(({ idempotency }) => idempotency?.owner ?? null),
			additions.map(({ idempotency }) => idempotency?.key ?? null),
			additions.map(({ idempotency }) => idempotency?.fingerprint ?? null),
			additions.map(({ idempotency }) => idempotency?.at ?? null),
		],
	);
	return new Map(rows.map(({ index, id }) => [index, BigInt(id)]));
}

/** The additions that are stored under the Idempotency-Keys of a batch, by this batch or an earlier one. */
async function findStored(
	db: Database,
	attempts: readonly NumberedAddition[],
	ids: ReadonlyMap<number, bigint>,
): Promise<Map<string, StoredAddition>> {
	const stored = new Map<string, StoredAddition>();
	const taken: Idempotency[] = [];
	for (const { index, idempotency } of attempts) {
		const id = ids.get(index);
		if (idempotency === undefined) continue;
		if (id === undefined) taken.push(idempotency);
		else stored.set(toMapKey(idempotency), { ...idempotency, id });
	}
	if (taken.length === 0) return stored;
	const rows = await query<
		Record<"owner" | "key" | "fingerprint" | "id" | "at", string>
	>(db.writes, statements.findIdempotencyKeys, [
		taken.map(({ owner }) => owner),
		taken.map(({ key }) => key),
	]);
	for (const { id, at, ...row } of rows)
		stored.set(toMapKey(row), { ...row, id: BigInt(id), at });
	return stored;
}

const statements = toStatements({
	// `claimed` saves the Idempotency-Keys that are free or expired, ordered by key, so that two statements cannot deadlock. If another copy
	// of the service is saving one of them, the statement waits, then leaves the key out.
	addPets: `
		WITH asked AS (
			SELECT * FROM unnest(${toArrays(["int4", ...givenTypes, "int8", "int8", "text", "text", "text", "int8"])})
				AS asked (index, ${toList(givenNames)}, added_at, added_by, owner, key, fingerprint, used_at)
		), claimed AS (
			INSERT INTO petstore.idempotency_keys AS stored (owner, key, fingerprint, pet_id, used_at)
			SELECT owner, key, fingerprint, ${nextId}, used_at
				FROM asked WHERE key IS NOT NULL AND NOT EXISTS (
					SELECT FROM petstore.idempotency_keys AS taken
					WHERE taken.owner = asked.owner AND taken.key = asked.key
						AND taken.used_at > asked.used_at - ${idempotencyLifetimeMs}
				) ORDER BY owner, key
			ON CONFLICT (owner, key) DO UPDATE
				SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at
				WHERE stored.used_at <= excluded.used_at - ${idempotencyLifetimeMs}
			RETURNING owner, key, pet_id
		), numbered AS (
			SELECT index, ${nextId} AS id, ${addedColumns} FROM asked WHERE key IS NULL
			UNION ALL
			SELECT index, pet_id, ${addedColumns} FROM asked JOIN claimed USING (owner, key)
		), added AS (
			INSERT INTO petstore.pets (id, ${addedColumns}) SELECT id, ${addedColumns} FROM numbered
		)
		SELECT index, id FROM numbered`,
	// It also writes to PostgreSQL's WAL, so that its commit waits for a synchronous standby. The commit that saved these keys may not have
	// waited for one, if its session was ended.
	findIdempotencyKeys: `
		WITH written AS MATERIALIZED (SELECT pg_logical_emit_message(true, 'petstore', ''))
		SELECT owner, key, fingerprint, pet_id AS id, used_at AS at FROM petstore.idempotency_keys, written
		WHERE (owner, key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
});
