// PostgreSQL, for several machines.

import { storeUnavailable } from "../../contract/errors.ts";
import {
	idempotencyLifetimeMs,
	keyUseIntervalMs,
	type Pet,
} from "../../contract/v1.ts";
import { createBatch } from "../batch.ts";
import type {
	Added,
	Addition,
	Idempotency,
	Key,
	NewKey,
	Page,
	Store,
} from "../store.ts";
import { readAll, writeAll } from "./archive.ts";
import {
	type Database,
	inKeyTime,
	inTime,
	openDatabase,
	query,
	readOnly,
	toStatements,
} from "./database.ts";
import { keepPages } from "./page-cache.ts";
import {
	type KeyRow,
	keyColumns,
	type PetRow,
	petColumns,
	toKey,
	toPet,
} from "./rows.ts";

/** Without `create`, our schema must be there. */
export async function openPostgres(
	url: string,
	{ create, poolSize }: { create: boolean; poolSize: number },
): Promise<Store> {
	const db = await openDatabase(url, create, poolSize);

	// A trip has a deadline too, so that one that is never answered does not keep the next from starting.
	const toPets = keepPages();
	const listPets = createBatch((pages: readonly Page[]) =>
		inTime(
			listPages(pages, async (page) => toPets(page, await listRows(db, page))),
		),
	);
	const getPet = createBatch((ids: readonly bigint[]) =>
		inTime(getPets(db, ids)),
	);
	const addPet = createBatch((additions: readonly Addition[]) =>
		inTime(addPets(db, additions)),
	);
	const findKey = createBatch((hashes: readonly string[]) =>
		inKeyTime(findKeys(db, hashes)),
	);
	const ping = createBatch((pings: readonly true[]) =>
		inTime(pingOnce(db, pings)),
	);

	return {
		listPets: (page) => inTime(listPets(page)),

		getPet: (id) => inTime(getPet(id)),

		addPet: (pet, idempotency) => inTime(addPet({ pet, idempotency })),

		async forgetIdempotencyKeys(before) {
			// In slices, so that no transaction is long.
			for (;;) {
				const forgotten = await query(
					db.writes,
					statements.forgetIdempotencyKeys,
					[before, maxForgottenPerCommit],
				);
				if (forgotten.length < maxForgottenPerCommit) return;
			}
		},

		addKey: (key) => inTime(addKey(db, key)),

		listKeys: async () =>
			(await inTime(query<KeyRow>(db, statements.listKeys))).map(toKey),

		findKey: (hash) => inKeyTime(findKey(hash)),

		async revokeKey(id, at) {
			const [key] = await inTime(
				query<KeyRow>(db.writes, statements.revokeKey, [at, id]),
			);
			return key && toKey(key);
		},

		async recordKeyUse(id, at) {
			await inTime(query(db.writes, statements.recordKeyUse, [at, id]));
		},

		readAll: () => readAll(url),

		writeAll: (pieces) => writeAll(url, pieces),

		async ping() {
			await inTime(ping(true));
		},

		close: db.close,
	};
}

const maxForgottenPerCommit = 1_000;

/** Equal pages become one query, which starts now: after all who ride on it have asked. */
async function listPages(
	pages: readonly Page[],
	read: (page: Page) => Promise<readonly Pet[]>,
): Promise<Promise<readonly Pet[]>[]> {
	const queries = new Map<string, Promise<readonly Pet[]>>();
	const answers = pages.map((page) => {
		const { limit, maxId, status } = page;
		const name = `${limit} ${maxId} ${status}`;
		const answer = queries.get(name) ?? read(page);
		queries.set(name, answer);
		return answer;
	});
	await Promise.allSettled(queries.values());
	return answers;
}

function listRows(
	db: Database,
	{ limit, maxId, status }: Page,
): Promise<PetRow[]> {
	return status === undefined
		? query<PetRow>(db, statements.listPets, [maxId, limit])
		: query<PetRow>(db, statements.listPetsByStatus, [status, maxId, limit]);
}

async function getPets(
	db: Database,
	ids: readonly bigint[],
): Promise<(Pet | undefined)[]> {
	const rows = await query<PetRow>(db, statements.getPets, [ids]);
	const found = new Map(rows.map((row) => [row.id, toPet(row)]));
	return ids.map((id) => found.get(String(id)));
}

async function findKeys(
	db: Database,
	hashes: readonly string[],
): Promise<(Key | undefined)[]> {
	const rows = await query<KeyRow>(db, statements.findKeys, [hashes]);
	const found = new Map(rows.map((row) => [row.hash, toKey(row)]));
	return hashes.map((hash) => found.get(hash));
}

/** Readable tables on a server that takes writes; those who ask together get one answer. */
async function pingOnce(
	db: Database,
	pings: readonly true[],
): Promise<readonly true[]> {
	const [state] = await query<{ isReadOnly: boolean }>(db, statements.ping);
	if (!state?.isReadOnly) return pings;
	db.reconnect();
	throw storeUnavailable(new Error("PostgreSQL is read-only"));
}

async function addPets(
	db: Database,
	additions: readonly Addition[],
): Promise<(Added | Promise<Added>)[]> {
	const seated = additions.map((addition, seat) => ({ ...addition, seat }));
	const leaders = seated.filter(isFirstOfItsKey());
	const placed = await placePets(db, leaders);
	const kept = findKept(db, leaders, placed);
	// Whoever was added is told so, whatever becomes of the query for the others.
	return seated.map(({ seat, idempotency }) => {
		const id = placed.get(seat);
		return id === undefined
			? unwatched(kept.then((all) => toRepeated(idempotency, all)))
			: { outcome: "added", id };
	});
}

/** An answer that nobody may wait for any more, since the trip took too long: that it is a rejection must not end the process. */
function unwatched<Result>(answer: Promise<Result>): Promise<Result> {
	answer.catch(() => {});
	return answer;
}

function toRepeated(
	idempotency: Idempotency | undefined,
	kept: ReadonlyMap<string, Kept>,
): Added {
	const earlier = idempotency && kept.get(toName(idempotency));
	// It was there a moment ago and was forgotten at the end of its time.
	if (earlier === undefined) throw storeUnavailable();
	return earlier.fingerprint === idempotency?.fingerprint
		? { outcome: "replayed", id: earlier.id }
		: { outcome: "mismatch" };
}

interface Kept {
	readonly fingerprint: string;
	readonly id: bigint;
}

interface Seated extends Addition {
	readonly seat: number;
}

/** Within one trip only the first with an Idempotency-Key asks; the others get what it finds. */
function isFirstOfItsKey(): (addition: Addition) => boolean {
	const seen = new Set<string>();
	return ({ idempotency }) => {
		if (idempotency === undefined) return true;
		const name = toName(idempotency);
		const isFirst = !seen.has(name);
		seen.add(name);
		return isFirst;
	};
}

/** The ids of those that were added: all without an Idempotency-Key, and those whose key was free. */
async function placePets(
	db: Database,
	additions: readonly Seated[],
): Promise<Map<number, bigint>> {
	const rows = await query<{ seat: number; id: string }>(
		db.writes,
		statements.addPets,
		[
			additions.map(({ seat }) => seat),
			additions.map(({ pet }) => pet.name),
			additions.map(({ pet }) => pet.categoryId),
			additions.map(({ pet }) => pet.status),
			additions.map(({ idempotency }) => idempotency?.owner ?? null),
			additions.map(({ idempotency }) => idempotency?.key ?? null),
			additions.map(({ idempotency }) => idempotency?.fingerprint ?? null),
			additions.map(({ idempotency }) => idempotency?.at ?? null),
		],
	);
	return new Map(rows.map(({ seat, id }) => [seat, BigInt(id)]));
}

/** What is kept under the Idempotency-Keys of a trip: those it took just now, and those that were taken before. */
async function findKept(
	db: Database,
	leaders: readonly Seated[],
	placed: ReadonlyMap<number, bigint>,
): Promise<Map<string, Kept>> {
	const kept = new Map<string, Kept>();
	const taken: Idempotency[] = [];
	for (const { seat, idempotency } of leaders) {
		const id = placed.get(seat);
		if (idempotency === undefined) continue;
		if (id === undefined) taken.push(idempotency);
		else kept.set(toName(idempotency), { ...idempotency, id });
	}
	if (taken.length === 0) return kept;
	const rows = await query<{
		owner: string;
		key: string;
		fingerprint: string;
		petId: string;
	}>(db.writes, statements.findIdempotencyKeys, [
		taken.map(({ owner }) => owner),
		taken.map(({ key }) => key),
	]);
	for (const row of rows)
		kept.set(toName(row), {
			fingerprint: row.fingerprint,
			id: BigInt(row.petId),
		});
	return kept;
}

/** Neither part can contain a space. */
function toName({ owner, key }: Pick<Idempotency, "owner" | "key">): string {
	return `${owner} ${key}`;
}

async function addKey(db: Database, key: NewKey): Promise<Key> {
	const { name, hash, prefix, scope, createdAt, expiresAt } = key;
	const [row] = await query<{ id: string }>(db.writes, statements.addKey, [
		name,
		hash,
		prefix,
		scope,
		createdAt,
		expiresAt ?? null,
	]);
	return {
		...key,
		id: Number(row?.id),
		revokedAt: undefined,
		lastUsedAt: undefined,
	};
}

const statements = toStatements({
	ping: `SELECT ${readOnly}, EXISTS (SELECT FROM petstore.pets)`,
	listPets: `SELECT ${petColumns} FROM petstore.pets WHERE id <= $1 ORDER BY id DESC LIMIT $2`,
	listPetsByStatus: `SELECT ${petColumns} FROM petstore.pets WHERE status = $1 AND id <= $2 ORDER BY id DESC LIMIT $3`,
	getPets: `SELECT ${petColumns} FROM petstore.pets WHERE id = ANY ($1::int8[])`,
	// One statement, so one transaction. In the order of their keys, so that two of them cannot wait for each other.
	// A key that is taken is left out, unless it is past its time; one that another copy takes just now is waited for.
	addPets: `
		WITH asked AS (
			SELECT * FROM unnest($1::int4[], $2::text[], $3::int8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int8[])
				AS asked (seat, name, category_id, status, owner, key, fingerprint, used_at)
		), claimed AS (
			INSERT INTO petstore.idempotency_keys AS kept (owner, key, fingerprint, pet_id, used_at)
			SELECT owner, key, fingerprint, nextval('petstore.pet_ids'), used_at
				FROM asked WHERE key IS NOT NULL AND NOT EXISTS (
					SELECT FROM petstore.idempotency_keys AS taken
					WHERE taken.owner = asked.owner AND taken.key = asked.key
						AND taken.used_at > asked.used_at - ${idempotencyLifetimeMs}
				) ORDER BY owner, key
			ON CONFLICT (owner, key) DO UPDATE
				SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at
				WHERE kept.used_at <= excluded.used_at - ${idempotencyLifetimeMs}
			RETURNING owner, key, pet_id
		), placed AS (
			SELECT seat, nextval('petstore.pet_ids') AS id, name, category_id, status FROM asked WHERE key IS NULL
			UNION ALL
			SELECT seat, pet_id, name, category_id, status FROM asked JOIN claimed USING (owner, key)
		), added AS (
			INSERT INTO petstore.pets (id, name, category_id, status)
			SELECT id, name, category_id, status FROM placed
		)
		SELECT seat, id FROM placed`,
	// It writes to the log of PostgreSQL, so that its commit waits for a synchronous standby: the commit of these keys may not have, if
	// its session was ended.
	findIdempotencyKeys: `
		WITH written AS MATERIALIZED (SELECT pg_logical_emit_message(true, 'petstore', ''))
		SELECT owner, key, fingerprint, pet_id AS "petId" FROM petstore.idempotency_keys, written
		WHERE (owner, key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
	forgetIdempotencyKeys: `DELETE FROM petstore.idempotency_keys WHERE (owner, key) IN
		(SELECT owner, key FROM petstore.idempotency_keys WHERE used_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
		RETURNING 1`,
	addKey: `INSERT INTO petstore.keys (name, hash, prefix, scope, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
	listKeys: `SELECT ${keyColumns} FROM petstore.keys ORDER BY id`,
	findKeys: `SELECT ${keyColumns} FROM petstore.keys WHERE hash = ANY ($1::text[])`,
	// The subquery gives the row as it was before.
	revokeKey: `UPDATE petstore.keys SET revoked_at = COALESCE(keys.revoked_at, $1)
		FROM (SELECT ${keyColumns} FROM petstore.keys WHERE id = $2 FOR UPDATE) AS before
		WHERE keys.id = before.id RETURNING before.*`,
	// Whoever holds the row may keep it: this can wait for the next time.
	recordKeyUse: `UPDATE petstore.keys SET last_used_at = $1::int8 WHERE id = (
			SELECT id FROM petstore.keys
			WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $1::int8 - ${keyUseIntervalMs})
			FOR UPDATE SKIP LOCKED
		)`,
});
