// Reads all data of a SQLite database, and writes it into one.
import { Database } from "bun:sqlite";
import { OperatorError } from "../../contract/errors.ts";
import type { KeyScope } from "../../contract/key-scope.ts";
import type { Pet, PetStatus } from "../../contract/pet.ts";
import { archiveRows, idempotencyLifetimeMs } from "../../limits.ts";
import type { Archive, Part } from "../archive.ts";
import {
	connect,
	connectionOptions,
	memory,
	retryWhileBusy,
} from "./database.ts";
import { listKeys, listSecrets } from "./keys.ts";
import { petColumns } from "./rows.ts";

export function openArchive(db: Database, path: string): Archive {
	// A database in memory has no second connection, so a copy of it is read.
	const openReader = () =>
		path === memory
			? Database.deserialize(db.serialize(), connectionOptions)
			: connect(path);
	return {
		async *read() {
			const reader = openReader();
			try {
				yield* readParts(reader);
			} finally {
				reader.close();
			}
		},
		async write(parts) {
			if (!(await writeIf(holdsNothing, parts)))
				throw new OperatorError("The target holds or held animals or keys.");
		},
		writeFirstPets: (parts) => writeIf(heldNoPets, parts),
	};

	async function writeIf(
		isFree: (db: Database) => boolean,
		parts: AsyncIterable<Part>,
	): Promise<boolean> {
		const writer = path === memory ? db : connect(path);
		try {
			return await writeParts(writer, isFree, parts);
		} finally {
			if (writer !== db) writer.close();
		}
	}
}

/** In one read transaction, so all parts are of one moment. */
export function* readParts(db: Database): Generator<Part> {
	db.run("BEGIN");
	try {
		yield { kind: "lastId", id: readLastId(db) };
		yield { kind: "keys", rows: listKeys(db) };
		yield { kind: "keySecrets", rows: listSecrets(db) };
		yield* readPets(db);
		yield* readIdempotencyKeys(db);
	} finally {
		db.run("COMMIT");
	}
}

/** Returns false, and writes nothing, if the database is not free. */
async function writeParts(
	db: Database,
	isFree: (db: Database) => boolean,
	parts: AsyncIterable<Part>,
): Promise<boolean> {
	await retryWhileBusy(() => db.run("BEGIN IMMEDIATE"));
	try {
		if (!isFree(db)) {
			db.run("ROLLBACK");
			return false;
		}
		const insert = prepareInserts(db);
		let lastId = 0n;
		for await (const part of parts) {
			if (part.kind === "lastId") lastId = part.id;
			else await retryWhileBusy(() => insert(part));
		}
		// After the animals, whose ids move it too.
		db.run("DELETE FROM sqlite_sequence WHERE name = 'pets'");
		db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [
			lastId,
		]);
		await retryWhileBusy(() => db.run("COMMIT"));
		return true;
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw error;
	}
}

function readLastId(db: Database): bigint {
	return (
		db
			.query<{ seq: bigint }, []>(
				"SELECT seq FROM sqlite_sequence WHERE name = 'pets'",
			)
			.get()?.seq ?? 0n
	);
}

function* readPets(db: Database): Generator<Part> {
	const page = db.query<Pet, [bigint, number]>(
		`SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
	);
	for (let after: bigint | undefined = 0n; after !== undefined; ) {
		const rows: Pet[] = page.all(after, archiveRows);
		yield { kind: "pets", rows };
		after = rows.at(-1)?.id;
	}
}

function* readIdempotencyKeys(db: Database): Generator<Part> {
	const page = db.query<IdempotencyRow, [number, string, string, number]>(
		`SELECT owner, key, fingerprint, pet_id AS petId, used_at AS at FROM idempotency_keys
		WHERE used_at > ? AND (owner, key) > (?, ?) ORDER BY owner, key LIMIT ?`,
	);
	const expiredAt = Date.now() - idempotencyLifetimeMs;
	let after: IdempotencyRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows = page.all(expiredAt, owner, key, archiveRows);
		yield {
			kind: "idempotencyKeys",
			rows: rows.map((row) => ({ ...row, at: Number(row.at) })),
		};
		after = rows.at(-1);
	} while (after !== undefined);
}

interface IdempotencyRow {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: bigint;
	readonly at: bigint;
}

function holdsNothing(db: Database): boolean {
	const found = db
		.query(
			"SELECT 1 FROM keys UNION ALL SELECT 1 FROM idempotency_keys LIMIT 1",
		)
		.get();
	return found === null && heldNoPets(db);
}

/** The last id shows whether there were animals before. */
function heldNoPets(db: Database): boolean {
	const found = db.query("SELECT 1 FROM pets LIMIT 1").get();
	return found === null && readLastId(db) === 0n;
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
	const secret = db.query<never, [string, number, number | null]>(
		"INSERT INTO key_secrets (hash, key_id, expires_at) VALUES (?, ?, ?)",
	);
	const idempotencyKey = db.query<
		never,
		[string, string, string, bigint, number]
	>(
		`INSERT INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
		VALUES (?, ?, ?, ?, ?)`,
	);
	return (part: Exclude<Part, { kind: "lastId" }>) => {
		if (part.kind === "pets")
			for (const { id, name, categoryId, status } of part.rows)
				pet.run(id, name, categoryId, status);
		else if (part.kind === "keys")
			for (const row of part.rows)
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
		else if (part.kind === "keySecrets")
			for (const { hash, keyId, expiresAt } of part.rows)
				secret.run(hash, keyId, expiresAt ?? null);
		else
			for (const { owner, key, fingerprint, petId, at } of part.rows)
				idempotencyKey.run(owner, key, fingerprint, petId, at);
	};
}
