// Reads all data of a PostgreSQL database, and writes it into one.
import type { ClientBase } from "pg";
import { OperatorError } from "../../contract/errors.ts";
import { archiveRows, idempotencyLifetimeMs } from "../../limits.ts";
import type { Archive, Part } from "../archive.ts";
import { openLongConnection } from "./connection.ts";
import { query } from "./database.ts";
import { listKeys, listSecrets } from "./keys.ts";
import { type PetRow, petColumns, toPet } from "./rows.ts";

export function openArchive(url: string): Archive {
	return {
		async *read() {
			const client = await openLongConnection(url);
			try {
				yield* readParts(client);
			} finally {
				await client.end();
			}
		},
		async write(parts) {
			if (!(await writeIf(holdsNothing, parts)))
				throw new OperatorError("The target holds or held animals or keys.");
		},
		writeFirstPets: (parts) => writeIf(heldNoPets, parts),
	};

	async function writeIf(
		isFree: (client: ClientBase) => Promise<boolean>,
		parts: AsyncIterable<Part>,
	): Promise<boolean> {
		const client = await openLongConnection(url);
		try {
			return await writeParts(client, isFree, parts);
		} finally {
			await client.end();
		}
	}
}

/** In one snapshot, so all parts are of one moment. */
async function* readParts(client: ClientBase): AsyncGenerator<Part> {
	await query(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	yield { kind: "lastId", id: await readLastId(client) };
	yield { kind: "keys", rows: await listKeys(client) };
	yield { kind: "keySecrets", rows: await listSecrets(client) };
	yield* readPets(client);
	yield* readIdempotencyKeys(client);
}

/** Returns false, and writes nothing, if the database is not free. */
async function writeParts(
	client: ClientBase,
	isFree: (client: ClientBase) => Promise<boolean>,
	parts: AsyncIterable<Part>,
): Promise<boolean> {
	await query(client, "BEGIN");
	await query(
		client,
		"LOCK TABLE petstore.pets, petstore.keys, petstore.key_secrets, petstore.idempotency_keys IN EXCLUSIVE MODE",
	);
	if (!(await isFree(client))) return false;
	let lastId = 0n;
	for await (const part of parts) {
		if (part.kind === "lastId") lastId = part.id;
		else await insert(client, part);
	}
	// As late as possible, since sequences are not part of the transaction.
	await setSequence(client, "petstore.pet_ids", lastId);
	await query(client, "COMMIT");
	return true;
}

async function readLastId(client: ClientBase): Promise<bigint> {
	const [row] = await query<{ last: string }>(
		client,
		"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM petstore.pet_ids",
	);
	return BigInt(row?.last ?? 0);
}

async function* readPets(client: ClientBase): AsyncGenerator<Part> {
	for (let after: string | undefined = "0"; after !== undefined; ) {
		const rows: PetRow[] = await query<PetRow>(
			client,
			`SELECT ${petColumns} FROM petstore.pets WHERE id > $1 ORDER BY id LIMIT $2`,
			[after, archiveRows],
		);
		yield { kind: "pets", rows: rows.map(toPet) };
		after = rows.at(-1)?.id;
	}
}

async function* readIdempotencyKeys(client: ClientBase): AsyncGenerator<Part> {
	const expiredAt = Date.now() - idempotencyLifetimeMs;
	let after: IdempotencyRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows: IdempotencyRow[] = await query<IdempotencyRow>(
			client,
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

async function holdsNothing(client: ClientBase): Promise<boolean> {
	const found = await query(
		client,
		`SELECT 1 FROM petstore.keys
		UNION ALL SELECT 1 FROM petstore.idempotency_keys LIMIT 1`,
	);
	return found.length === 0 && (await heldNoPets(client));
}

/** The last id shows whether there were animals before. */
async function heldNoPets(client: ClientBase): Promise<boolean> {
	const found = await query(client, "SELECT 1 FROM petstore.pets LIMIT 1");
	return found.length === 0 && (await readLastId(client)) === 0n;
}

async function insert(
	client: ClientBase,
	part: Exclude<Part, { kind: "lastId" }>,
): Promise<void> {
	if (part.kind === "pets")
		await query(
			client,
			`INSERT INTO petstore.pets (id, name, category_id, status)
			SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[])`,
			[
				part.rows.map(({ id }) => id),
				part.rows.map(({ name }) => name),
				part.rows.map(({ categoryId }) => categoryId),
				part.rows.map(({ status }) => status),
			],
		);
	else if (part.kind === "keys") {
		for (const key of part.rows)
			await query(
				client,
				`INSERT INTO petstore.keys (id, name, hash, prefix, scope, created_at, expires_at, revoked_at, last_used_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
				[
					key.id,
					key.name,
					key.hash,
					key.prefix,
					key.scope,
					key.createdAt,
					key.expiresAt ?? null,
					key.revokedAt ?? null,
					key.lastUsedAt ?? null,
				],
			);
		const last = Math.max(0, ...part.rows.map(({ id }) => id));
		await setSequence(client, "petstore.keys_id_seq", BigInt(last));
	} else if (part.kind === "keySecrets")
		await query(
			client,
			`INSERT INTO petstore.key_secrets (hash, key_id, expires_at)
			SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[])`,
			[
				part.rows.map(({ hash }) => hash),
				part.rows.map(({ keyId }) => keyId),
				part.rows.map(({ expiresAt }) => expiresAt ?? null),
			],
		);
	else
		await query(
			client,
			`INSERT INTO petstore.idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[])`,
			[
				part.rows.map(({ owner }) => owner),
				part.rows.map(({ key }) => key),
				part.rows.map(({ fingerprint }) => fingerprint),
				part.rows.map(({ petId }) => petId),
				part.rows.map(({ at }) => at),
			],
		);
}

async function setSequence(
	client: ClientBase,
	name: string,
	last: bigint,
): Promise<void> {
	const isCalled = last > 0n;
	await query(client, "SELECT setval($1::regclass, $2, $3)", [
		name,
		isCalled ? last : 1n,
		isCalled,
	]);
}
