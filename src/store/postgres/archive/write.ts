// Writes the parts of an archive into PostgreSQL.
import type { ClientBase } from "pg";
import {
	type ArchivedPet,
	insertParts,
	type Largest,
	type Part,
	type RowsPart,
	requireCount,
	toNextEpoch,
} from "../../archive.ts";
import type { Key } from "../../keys.ts";
import { durationColumns, type UsageRow } from "../../usage-rows.ts";
import type { WaitOptions } from "../../wait.ts";
import { query } from "../database.ts";
import { readEpoch, setEpoch } from "../epoch.ts";
import { beginLocked, lockTables } from "../table-lock.ts";
import { toUsageColumns } from "../usage.ts";
import { countPets } from "./read.ts";
import { forgetRestored, lockedTables, type Preparation } from "./state.ts";

/** In one transaction. Returns false, and writes nothing, if the preparation refuses. */
export async function writeParts(
	client: ClientBase,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
	options: WaitOptions,
): Promise<boolean> {
	// Adds draw their ids from the sequence after they have locked the table, so none can draw one from here on.
	await beginLocked(client, () => lockTables(client, lockedTables), options);
	const before = await readEpoch(client);
	if (!(await prepare(client))) return false;
	const facts = await insertParts(parts, (part) => insert(client, part));
	if (facts.petCount !== undefined)
		requireCount(facts.petCount, await countPets(client));
	await forgetRestored(client);
	await setEpoch(client, toNextEpoch(before, facts, await readLargest(client)));
	await query(client, "COMMIT");
	return true;
}

async function readLargest(client: ClientBase): Promise<Largest> {
	const [row] = await query<Record<keyof Largest, string>>(
		client,
		`SELECT coalesce((SELECT max(id) FROM petstore.pets), 0) AS "petId",
			greatest((SELECT max(position) FROM petstore.changes), (SELECT max(version) FROM petstore.pets), 0) AS position,
			coalesce((SELECT max(id) FROM petstore.keys), 0) AS "keyId"`,
	);
	const { petId = 0, position = 0, keyId = 0 } = row ?? {};
	return {
		petId: BigInt(petId),
		position: BigInt(position),
		keyId: BigInt(keyId),
	};
}

async function insert(client: ClientBase, part: RowsPart): Promise<void> {
	switch (part.kind) {
		case "pets":
			return insertPets(client, part.rows, "");
		case "newerPets":
			return insertPets(
				client,
				part.rows,
				`ON CONFLICT (id) DO UPDATE SET name = excluded.name, category_id = excluded.category_id,
				status = excluded.status, version = excluded.version`,
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
	rows: readonly ArchivedPet[],
	onConflict: string,
): Promise<void> {
	await query(
		client,
		`INSERT INTO petstore.pets (id, name, category_id, status, version, added_at, added_by)
		SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[], $5::int8[], $6::int8[], $7::int8[]) ${onConflict}`,
		[
			rows.map(({ id }) => id),
			rows.map(({ name }) => name),
			rows.map(({ categoryId }) => categoryId),
			rows.map(({ status }) => status),
			rows.map(({ id, version = id }) => (version === id ? null : version)),
			rows.map(({ addedAt = null }) => addedAt),
			rows.map(({ addedBy = null }) => addedBy),
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
