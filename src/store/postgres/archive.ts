// All that a PostgreSQL database holds: out of one, into another. On a connection of its own, without the deadlines of requests.
import type { ClientBase } from "pg";
import { OperatorError } from "../../contract/errors.ts";
import { idempotencyLifetimeMs } from "../../contract/v1.ts";
import type { Piece } from "../store.ts";
import { openClient, query } from "./database.ts";
import {
	type KeyRow,
	keyColumns,
	type PetRow,
	petColumns,
	toKey,
	toPet,
} from "./rows.ts";

export async function* readAll(url: string): AsyncGenerator<Piece> {
	const client = await openClient(url);
	try {
		// One snapshot, so one moment, however long it takes.
		await query(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
		yield { kind: "position", lastId: await lastId(client) };
		const keys = await query<KeyRow>(
			client,
			`SELECT ${keyColumns} FROM petstore.keys ORDER BY id`,
		);
		yield { kind: "keys", rows: keys.map(toKey) };
		yield* readPets(client);
		yield* readIdempotency(client);
	} finally {
		await client.end();
	}
}

export async function writeAll(
	url: string,
	pieces: AsyncIterable<Piece>,
): Promise<void> {
	const client = await openClient(url);
	try {
		await query(client, "BEGIN");
		await query(
			client,
			"LOCK TABLE petstore.pets, petstore.keys, petstore.idempotency_keys IN EXCLUSIVE MODE",
		);
		await requireEmpty(client);
		let position = 0n;
		for await (const piece of pieces) {
			if (piece.kind === "position") position = piece.lastId;
			else await insert(client, piece);
		}
		// As late as can be, since sequences know no transaction.
		await setSequence(client, "petstore.pet_ids", position);
		await query(client, "COMMIT");
	} finally {
		await client.end();
	}
}

/** Of names up to 64 KiB each. */
const rowsPerPiece = 1_000;

async function lastId(client: ClientBase): Promise<bigint> {
	const [row] = await query<{ last: string }>(
		client,
		"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM petstore.pet_ids",
	);
	return BigInt(row?.last ?? 0);
}

async function* readPets(client: ClientBase): AsyncGenerator<Piece> {
	for (let after: string | undefined = "0"; after !== undefined; ) {
		const rows: PetRow[] = await query<PetRow>(
			client,
			`SELECT ${petColumns} FROM petstore.pets WHERE id > $1 ORDER BY id LIMIT $2`,
			[after, rowsPerPiece],
		);
		yield { kind: "pets", rows: rows.map(toPet) };
		after = rows.at(-1)?.id;
	}
}

async function* readIdempotency(client: ClientBase): AsyncGenerator<Piece> {
	const living = Date.now() - idempotencyLifetimeMs;
	let after: KeptRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows: KeptRow[] = await query<KeptRow>(
			client,
			`SELECT owner, key, fingerprint, pet_id AS "petId", used_at AS at FROM petstore.idempotency_keys
			WHERE used_at > $1 AND (owner, key) > ($2, $3) ORDER BY owner, key LIMIT $4`,
			[living, owner, key, rowsPerPiece],
		);
		yield {
			kind: "idempotency",
			rows: rows.map((row) => ({
				...row,
				petId: BigInt(row.petId),
				at: Number(row.at),
			})),
		};
		after = rows.at(-1);
	} while (after !== undefined);
}

interface KeptRow {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: string;
	readonly at: string;
}

async function requireEmpty(client: ClientBase): Promise<void> {
	const found = await query(
		client,
		`SELECT 1 FROM petstore.pets UNION ALL SELECT 1 FROM petstore.keys
		UNION ALL SELECT 1 FROM petstore.idempotency_keys LIMIT 1`,
	);
	if (found.length > 0 || (await lastId(client)) > 0n)
		throw new OperatorError("The target holds or held animals or keys.");
}

async function insert(
	client: ClientBase,
	piece: Exclude<Piece, { kind: "position" }>,
): Promise<void> {
	if (piece.kind === "pets")
		await query(
			client,
			`INSERT INTO petstore.pets (id, name, category_id, status)
			SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[])`,
			[
				piece.rows.map(({ id }) => id),
				piece.rows.map(({ name }) => name),
				piece.rows.map(({ categoryId }) => categoryId),
				piece.rows.map(({ status }) => status),
			],
		);
	else if (piece.kind === "keys") {
		for (const key of piece.rows)
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
		const last = Math.max(0, ...piece.rows.map(({ id }) => id));
		await setSequence(client, "petstore.keys_id_seq", BigInt(last));
	} else
		await query(
			client,
			`INSERT INTO petstore.idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int8[], $5::int8[])`,
			[
				piece.rows.map(({ owner }) => owner),
				piece.rows.map(({ key }) => key),
				piece.rows.map(({ fingerprint }) => fingerprint),
				piece.rows.map(({ petId }) => petId),
				piece.rows.map(({ at }) => at),
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
