// Reads the parts of an archive from PostgreSQL.
import type { ClientBase } from "pg";
import type { StoredPet } from "../../../contract/pet.ts";
import {
	archivePartLength,
	archiveRows,
	idempotencyLifetimeMs,
} from "../../../limits.ts";
import { type Part, toArchived } from "../../archive.ts";
import { toUsageRow, type UsageValues } from "../../usage-rows.ts";
import { type Queryable, query } from "../database.ts";
import { readEpoch } from "../epoch.ts";
import { listKeys, listSecrets } from "../keys.ts";
import { beginSnapshot } from "../older-schema.ts";
import { type PetRow, petColumns, toPet } from "../rows.ts";

/** In one snapshot, so all parts are of one moment. */
export async function* readParts(client: ClientBase): AsyncGenerator<Part> {
	const db = await beginSnapshot(client);
	const epoch = await readEpoch(db);
	yield { kind: "lastId", id: epoch.lastId };
	yield { kind: "catalogue", ...toArchived(epoch) };
	yield { kind: "keys", rows: await listKeys(db) };
	yield { kind: "keySecrets", rows: await listSecrets(db) };
	for await (const rows of readPets(db)) yield { kind: "pets", rows };
	yield* readRemovedIds(db);
	yield { kind: "count", pets: await countPets(db) };
	yield* readIdempotencyKeys(db);
	yield* readUsage(db);
	yield await readImports(db);
}

export async function countPets(db: Queryable): Promise<number> {
	const [row] = await query<{ count: string }>(
		db,
		"SELECT count(*) AS count FROM petstore.pets",
	);
	return Number(row?.count);
}

/** All animals in the order of their ids, in slices. A name can be long, so a slice ends where it has too much text. */
export async function* readPets(
	db: Queryable,
	afterId = "0",
): AsyncGenerator<StoredPet[]> {
	for (let after: string | undefined = afterId; after !== undefined; ) {
		const rows: PetRow[] = await query<PetRow>(
			db,
			`SELECT ${petColumns} FROM (
				SELECT *, sum(octet_length(name)) OVER (ORDER BY id) - octet_length(name) AS before
				FROM (SELECT * FROM petstore.pets WHERE id > $1 ORDER BY id LIMIT $2) AS page
			) AS measured WHERE before <= ${archivePartLength} ORDER BY id`,
			[after, archiveRows],
		);
		yield rows.map(toPet);
		after = rows.at(-1)?.id;
	}
}

async function* readRemovedIds(db: Queryable): AsyncGenerator<Part> {
	for (let after: string | undefined = "0"; after !== undefined; ) {
		const rows: { id: string }[] = await query<{ id: string }>(
			db,
			`SELECT pet_id AS id FROM petstore.changes WHERE kind = 'removed' AND pet_id > $1
			ORDER BY pet_id LIMIT $2`,
			[after, archiveRows],
		);
		if (rows.length > 0)
			yield { kind: "removedIds", rows: rows.map(({ id }) => BigInt(id)) };
		after = rows.at(-1)?.id;
	}
}

async function* readIdempotencyKeys(db: Queryable): AsyncGenerator<Part> {
	const expiredAt = Date.now() - idempotencyLifetimeMs;
	let after: IdempotencyRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows: IdempotencyRow[] = await query<IdempotencyRow>(
			db,
			`SELECT owner, key, fingerprint, pet_id AS "petId", used_at AS at FROM petstore.idempotency_keys
			WHERE used_at > $1 AND (owner, key) > ($2, $3) ORDER BY owner, key LIMIT $4`,
			[expiredAt, owner, key, archiveRows],
		);
		yield {
			kind: "idempotencyKeys",
			rows: rows.map((row) => ({
				...row,
				petId: BigInt(row.petId),
				at: Number(row.at),
			})),
		};
		after = rows.at(-1);
	} while (after !== undefined);
}

interface IdempotencyRow {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: string;
	readonly at: string;
}

async function* readUsage(db: Queryable): AsyncGenerator<Part> {
	let after: readonly (string | number)[] | undefined = ["", 0, "", "", 0];
	while (after !== undefined) {
		const found: UsageValues[] = await query<UsageValues>(
			db,
			`SELECT * FROM petstore.usage WHERE (period, starts_at, key, operation, status) > ($1, $2, $3, $4, $5)
			ORDER BY period, starts_at, key, operation, status LIMIT $6`,
			[...after, archiveRows],
		);
		const rows = found.map(toUsageRow);
		if (rows.length > 0) yield { kind: "usage", rows };
		const last = rows.at(-1);
		after = last && [
			...[last.period, last.startsAt, last.key],
			...[last.operation, last.status],
		];
	}
}

async function readImports(db: Queryable): Promise<Part> {
	const rows = await query<{ id: string; animals: string; at: string }>(
		db,
		"SELECT id, animals, finished_at AS at FROM petstore.imports ORDER BY id",
	);
	return {
		kind: "imports",
		rows: rows.map(({ id, animals, at }) => ({
			id,
			animals: Number(animals),
			finishedAt: Number(at),
		})),
	};
}
