// All that a SQLite database holds: out of one, into another.
import type { Database } from "bun:sqlite";
import { OperatorError } from "../../contract/errors.ts";
import {
	idempotencyLifetimeMs,
	type KeyScope,
	type Pet,
	type PetStatus,
} from "../../contract/v1.ts";
import type { Piece } from "../store.ts";
import { untilUnlocked } from "./database.ts";
import { type KeyRow, keyColumns, petColumns, toKey } from "./rows.ts";

export async function* readAll(db: Database): AsyncGenerator<Piece> {
	// One transaction, so one moment, however long it takes.
	db.run("BEGIN");
	try {
		yield { kind: "position", lastId: lastId(db) };
		const keys = db.query<KeyRow, []>(
			`SELECT ${keyColumns} FROM keys ORDER BY id`,
		);
		yield { kind: "keys", rows: keys.all().map(toKey) };
		yield* readPets(db);
		yield* readIdempotency(db);
	} finally {
		db.run("COMMIT");
	}
}

export async function writeAll(
	db: Database,
	pieces: AsyncIterable<Piece>,
): Promise<void> {
	await untilUnlocked(() => db.run("BEGIN IMMEDIATE"));
	try {
		requireEmpty(db);
		const insert = prepareInserts(db);
		let position = 0n;
		for await (const piece of pieces) {
			if (piece.kind === "position") position = piece.lastId;
			else await untilUnlocked(() => insert(piece));
		}
		// After the animals, whose ids move it too.
		db.run("DELETE FROM sqlite_sequence WHERE name = 'pets'");
		db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [
			position,
		]);
		await untilUnlocked(() => db.run("COMMIT"));
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw error;
	}
}

/** Of names up to 64 KiB each. */
const rowsPerPiece = 1_000;

function lastId(db: Database): bigint {
	return (
		db
			.query<{ seq: bigint }, []>(
				"SELECT seq FROM sqlite_sequence WHERE name = 'pets'",
			)
			.get()?.seq ?? 0n
	);
}

function* readPets(db: Database): Generator<Piece> {
	const page = db.query<Pet, [bigint, number]>(
		`SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
	);
	for (let after: bigint | undefined = 0n; after !== undefined; ) {
		const rows: Pet[] = page.all(after, rowsPerPiece);
		yield { kind: "pets", rows };
		after = rows.at(-1)?.id;
	}
}

function* readIdempotency(db: Database): Generator<Piece> {
	const page = db.query<KeptRow, [number, string, string, number]>(
		`SELECT owner, key, fingerprint, pet_id AS petId, used_at AS at FROM idempotency_keys
		WHERE used_at > ? AND (owner, key) > (?, ?) ORDER BY owner, key LIMIT ?`,
	);
	const living = Date.now() - idempotencyLifetimeMs;
	let after: KeptRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows = page.all(living, owner, key, rowsPerPiece);
		yield {
			kind: "idempotency",
			rows: rows.map((row) => ({ ...row, at: Number(row.at) })),
		};
		after = rows.at(-1);
	} while (after !== undefined);
}

interface KeptRow {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: bigint;
	readonly at: bigint;
}

function requireEmpty(db: Database): void {
	const found = db
		.query(
			`SELECT 1 FROM pets UNION ALL SELECT 1 FROM keys UNION ALL SELECT 1 FROM idempotency_keys LIMIT 1`,
		)
		.get();
	if (found !== null || lastId(db) > 0n)
		throw new OperatorError("The target holds or held animals or keys.");
}

function prepareInserts(db: Database) {
	const pet = db.query<never, [bigint, string, bigint, PetStatus]>(
		"INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)",
	);
	const key = db.query<
		never,
		[
			...[number, string, string, string, KeyScope, number],
			...[number | null, number | null, number | null],
		]
	>(
		`INSERT INTO keys (id, name, hash, prefix, scope, created_at, expires_at, revoked_at, last_used_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const kept = db.query<never, [string, string, string, bigint, number]>(
		`INSERT INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
		VALUES (?, ?, ?, ?, ?)`,
	);
	return (piece: Exclude<Piece, { kind: "position" }>) => {
		if (piece.kind === "pets")
			for (const { id, name, categoryId, status } of piece.rows)
				pet.run(id, name, categoryId, status);
		else if (piece.kind === "keys")
			for (const row of piece.rows)
				key.run(
					row.id,
					row.name,
					row.hash,
					row.prefix,
					row.scope,
					row.createdAt,
					row.expiresAt ?? null,
					row.revokedAt ?? null,
					row.lastUsedAt ?? null,
				);
		else
			for (const { owner, key, fingerprint, petId, at } of piece.rows)
				kept.run(owner, key, fingerprint, petId, at);
	};
}
