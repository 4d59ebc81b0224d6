// Writes the parts of an archive into SQLite.
import type { Database } from "bun:sqlite";
import type { KeyScope } from "../../../contract/key-scope.ts";
import type { PetStatus } from "../../../contract/pet.ts";
import {
	type ArchivedPet,
	insertParts,
	type Largest,
	type Part,
	type RowsPart,
	requireCount,
	toNextEpoch,
} from "../../archive.ts";
import { durationCount } from "../../usage.ts";
import type { WaitOptions } from "../../wait.ts";
import { beginLong, retryWhileBusy } from "../database.ts";
import { readEpoch, setEpoch } from "../epoch.ts";
import { countPets } from "./read.ts";
import { forgetRestored, type Preparation } from "./state.ts";

/** In one transaction. Returns false, and writes nothing, if the preparation refuses. */
export async function writeParts(
	db: Database,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
	options: WaitOptions = {},
): Promise<boolean> {
	await beginLong(db, options);
	try {
		const before = readEpoch(db);
		if (!prepare(db)) {
			db.run("ROLLBACK");
			return false;
		}
		const inserts = prepareInserts(db);
		const facts = await insertParts(parts, (part) =>
			retryWhileBusy(() => insert(inserts, part)),
		);
		if (facts.petCount !== undefined)
			requireCount(facts.petCount, countPets(db));
		forgetRestored(db);
		// After the animals, whose ids move the counter too.
		setEpoch(db, toNextEpoch(before, facts, readLargest(db)));
		await retryWhileBusy(() => db.run("COMMIT"));
		return true;
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw error;
	}
}

function readLargest(db: Database): Largest {
	const row = db
		.query<Largest, []>(
			`SELECT ifnull((SELECT max(id) FROM pets), 0) AS petId,
				max(ifnull((SELECT max(position) FROM changes), 0), ifnull((SELECT max(version) FROM pets), 0)) AS position, ifnull((SELECT max(id) FROM keys), 0) AS keyId`,
		)
		.get();
	return row ?? { petId: 0n, position: 0n, keyId: 0n };
}

type Inserts = ReturnType<typeof prepareInserts>;

function insert(inserts: Inserts, part: RowsPart): void {
	switch (part.kind) {
		case "pets":
			for (const pet of part.rows) inserts.pet.run(...toValues(pet));
			break;
		case "newerPets":
			for (const pet of part.rows) inserts.newerPet.run(...toValues(pet));
			break;
		case "removedIds":
			for (const id of part.rows) {
				inserts.removePet.run(id);
				inserts.removal.run(id, id);
			}
			break;
		case "keys":
			for (const row of part.rows)
				inserts.key.run(
					...([row.id, row.name, row.hash, row.prefix] as const),
					...([row.scope, row.createdAt, row.expiresAt ?? null] as const),
					...([row.revokedAt ?? null, row.lastUsedAt ?? null] as const),
				);
			break;
		case "keySecrets":
			for (const { hash, keyId, expiresAt } of part.rows)
				inserts.secret.run(hash, keyId, expiresAt ?? null);
			break;
		case "idempotencyKeys":
			for (const { owner, key, fingerprint, petId, at } of part.rows)
				inserts.idempotencyKey.run(owner, key, fingerprint, petId, at);
			break;
		case "usage":
			for (const { period, startsAt, key, operation, ...row } of part.rows)
				inserts.usage.run(
					...([period, startsAt, key, operation] as const),
					...([row.status, row.requests] as const),
					...row.durations,
				);
			break;
		case "imports":
			for (const { id, animals, finishedAt } of part.rows)
				inserts.imported.run(id, animals, finishedAt);
	}
}

type PetValues = [
	...[bigint, string, bigint, PetStatus],
	...[bigint | null, bigint | null, bigint | null],
];

function toValues(pet: ArchivedPet): PetValues {
	const { id, name, categoryId, status, version = id } = pet;
	const { addedAt = null, addedBy = null } = pet;
	const changed = version === id ? null : version;
	return [id, name, categoryId, status, changed, addedAt, addedBy];
}

function prepareInserts(db: Database) {
	const pets =
		"pets (id, name, category_id, status, version, added_at, added_by) VALUES (?, ?, ?, ?, ?, ?, ?)";
	return {
		pet: db.query<never, PetValues>(`INSERT INTO ${pets}`),
		newerPet: db.query<never, PetValues>(`INSERT OR REPLACE INTO ${pets}`),
		removePet: db.query<never, [bigint]>("DELETE FROM pets WHERE id = ?"),
		// Its own id is free as a position, since ids and positions come from one counter.
		removal: db.query<never, [bigint, bigint]>(
			"INSERT OR IGNORE INTO changes (position, pet_id, kind) VALUES (?, ?, 'removed')",
		),
		key: db.query<
			never,
			[
				...[number, string, string, string, KeyScope, number],
				...[number | null, number | null, number | null],
			]
		>(
			`INSERT INTO keys (id, name, hash, prefix, scope, created_at, expires_at, revoked_at, last_used_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		),
		secret: db.query<never, [string, number, number | null]>(
			"INSERT INTO key_secrets (hash, key_id, expires_at) VALUES (?, ?, ?)",
		),
		idempotencyKey: db.query<never, [string, string, string, bigint, number]>(
			`INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			VALUES (?, ?, ?, ?, ?)`,
		),
		usage: db.query<
			never,
			[string, number, string, string, number, number, ...number[]]
		>(
			`INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?${", ?".repeat(durationCount)})`,
		),
		imported: db.query<never, [string, number, number]>(
			"INSERT INTO imports (id, animals, finished_at) VALUES (?, ?, ?)",
		),
	};
}
