// Writes the parts of an archive into PostgreSQL.
import type { ClientBase } from "pg";
import type { Pet } from "../../../contract/pet.ts";
import { maxAttempts } from "../../../limits.ts";
import { type Part, type RowsPart, requireCount } from "../../archive.ts";
import type { Key } from "../../keys.ts";
import { durationColumns, type UsageRow } from "../../usage-rows.ts";
import { query } from "../database.ts";
import { isConflict } from "../errors.ts";
import { renewFeed } from "../feed.ts";
import { toUsageColumns } from "../usage.ts";
import { countPets } from "./read.ts";
import type { Preparation } from "./state.ts";

/** In one transaction. Returns false, and writes nothing, if the preparation refuses. */
export async function writeParts(
	client: ClientBase,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
): Promise<boolean> {
	await beginWithLock(client);
	const prepared = await prepare(client);
	if (prepared === undefined) return false;
	const { lastId, count } = await insertAll(client, parts);
	requireCount(count, count === undefined ? 0 : await countPets(client));
	await prepared.complete();
	await renewFeed(client);
	// As late as possible, since sequences are not part of the transaction.
	await setSequence(
		client,
		"petstore.pet_ids",
		lastId > prepared.lastId ? lastId : prepared.lastId,
	);
	await query(client, "COMMIT");
	return true;
}

/** Adds draw their ids from the sequence after they have locked the table, so none can draw one from here on. */
async function beginWithLock(client: ClientBase): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		await query(client, "BEGIN");
		try {
			await client.query(
				`LOCK TABLE petstore.pets, petstore.keys, petstore.key_secrets, petstore.idempotency_keys,
				petstore.changes, petstore.usage, petstore.imports IN EXCLUSIVE MODE`,
			);
			return;
		} catch (error) {
			// A request that locks the tables in another order can cause a deadlock.
			if (!isConflict(error) || attempt === maxAttempts) throw error;
			await query(client, "ROLLBACK");
		}
	}
}

async function insertAll(client: ClientBase, parts: AsyncIterable<Part>) {
	let lastId = 0n;
	let count: number | undefined;
	for await (const part of parts) {
		if (part.kind === "lastId") lastId = part.id;
		else if (part.kind === "count") count = part.pets;
		else await insert(client, part);
	}
	return { lastId, count };
}

async function insert(client: ClientBase, part: RowsPart): Promise<void> {
	switch (part.kind) {
		case "pets":
			return insertPets(client, part.rows, "");
		case "newerPets":
			return insertPets(
				client,
				part.rows,
				`ON CONFLICT (id) DO UPDATE SET name = excluded.name,
				category_id = excluded.category_id, status = excluded.status`,
			);
		case "removedIds":
			return removePets(client, part.rows);
		case "keys":
			return insertKeys(client, part.rows);
		case "usage":
			return insertUsage(client, part.rows);
		default:
			await query(client, ...toInsertion(part));
	}
}

function toInsertion(
	part: Extract<Part, { kind: "keySecrets" | "idempotencyKeys" | "imports" }>,
): [string, unknown[]] {
	switch (part.kind) {
		case "keySecrets":
			return [
				`INSERT INTO petstore.key_secrets (hash, key_id, expires_at)
				SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[])`,
				[
					part.rows.map(({ hash }) => hash),
					part.rows.map(({ keyId }) => keyId),
					part.rows.map(({ expiresAt }) => expiresAt ?? null),
				],
			];
		case "idempotencyKeys":
			return [
				`INSERT INTO petstore.idempotency_keys (owner, key, fingerprint, pet_id, used_at)
				SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[])
				ON CONFLICT (owner, key) DO UPDATE SET fingerprint = excluded.fingerprint,
				pet_id = excluded.pet_id, used_at = excluded.used_at`,
				[
					part.rows.map(({ owner }) => owner),
					part.rows.map(({ key }) => key),
					part.rows.map(({ fingerprint }) => fingerprint),
					part.rows.map(({ petId }) => petId),
					part.rows.map(({ at }) => at),
				],
			];
		case "imports":
			return [
				`INSERT INTO petstore.imports (id, animals, finished_at)
				SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[])`,
				[
					part.rows.map(({ id }) => id),
					part.rows.map(({ animals }) => animals),
					part.rows.map(({ finishedAt }) => finishedAt),
				],
			];
	}
}

async function insertPets(
	client: ClientBase,
	rows: readonly Pet[],
	onConflict: string,
): Promise<void> {
	await query(
		client,
		`INSERT INTO petstore.pets (id, name, category_id, status)
		SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[]) ${onConflict}`,
		[
			rows.map(({ id }) => id),
			rows.map(({ name }) => name),
			rows.map(({ categoryId }) => categoryId),
			rows.map(({ status }) => status),
		],
	);
}

async function removePets(
	client: ClientBase,
	ids: readonly bigint[],
): Promise<void> {
	await query(client, "DELETE FROM petstore.pets WHERE id = ANY ($1::int8[])", [
		ids,
	]);
	// Its own id is free as a position, since ids and positions come from one sequence.
	await query(
		client,
		`INSERT INTO petstore.changes (position, pet_id, kind)
		SELECT id, id, 'removed' FROM unnest($1::int8[]) AS removed (id) ON CONFLICT DO NOTHING`,
		[ids],
	);
}

async function insertKeys(
	client: ClientBase,
	rows: readonly Key[],
): Promise<void> {
	for (const key of rows)
		await query(
			client,
			`INSERT INTO petstore.keys (id, name, hash, prefix, scope, created_at, expires_at, revoked_at, last_used_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			[
				...[key.id, key.name, key.hash, key.prefix, key.scope],
				...[key.createdAt, key.expiresAt ?? null],
				...[key.revokedAt ?? null, key.lastUsedAt ?? null],
			],
		);
	const last = Math.max(0, ...rows.map(({ id }) => id));
	await setSequence(client, "petstore.keys_id_seq", BigInt(last));
}

async function insertUsage(
	client: ClientBase,
	rows: readonly UsageRow[],
): Promise<void> {
	const counts = durationColumns.map((_, index) => `$${index + 7}::int8[]`);
	await query(
		client,
		`INSERT INTO petstore.usage
		SELECT * FROM unnest($1::text[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::int8[], ${counts.join(", ")})`,
		toUsageColumns(rows),
	);
}

/** Never sets it back: what the database has assigned is not assigned again. */
async function setSequence(
	client: ClientBase,
	name: string,
	last: bigint,
): Promise<void> {
	if (last === 0n) return;
	await query(
		client,
		`SELECT setval($1::regclass, greatest($2, (SELECT last_value FROM ${name})), true)`,
		[name, last],
	);
}
