// Reads the parts of an archive from SQLite.
import type { Database } from "bun:sqlite";
import type { StoredPet } from "../../../contract/pet.ts";
import {
	archivePartLength,
	archiveRows,
	idempotencyLifetimeMs,
} from "../../../limits.ts";
import {
	type Part,
	type StoredIdempotency,
	toArchived,
} from "../../archive.ts";
import {
	toUsageRow,
	type UsageRow,
	type UsageValues,
} from "../../usage-rows.ts";
import { readEpoch } from "../epoch.ts";
import { listKeys, listSecrets } from "../keys.ts";
import { petColumns } from "../rows.ts";

/** In one read transaction, so all parts are of one moment. */
export function* readParts(db: Database): Generator<Part> {
	db.run("BEGIN");
	try {
		yield* readCounters(db);
		yield* readKeys(db);
		yield* readPets(db);
		yield* readRemovedIds(db);
		yield { kind: "count", pets: countPets(db) };
		yield* readIdempotencyKeys(db);
		yield* readUsage(db);
		yield readImports(db);
	} finally {
		db.run("COMMIT");
	}
}

export function* readCounters(db: Database): Generator<Part> {
	const epoch = readEpoch(db);
	yield { kind: "lastId", id: epoch.lastId };
	yield { kind: "catalogue", ...toArchived(epoch) };
}

export function* readKeys(db: Database): Generator<Part> {
	yield { kind: "keys", rows: listKeys(db) };
	yield { kind: "keySecrets", rows: listSecrets(db) };
}

export function countPets(db: Database): number {
	const row = db
		.query<{ count: bigint }, []>("SELECT COUNT(*) AS count FROM pets")
		.get();
	return Number(row?.count);
}

export function* readPets(
	db: Database,
	afterId = 0n,
): Generator<Extract<Part, { kind: "pets" }>> {
	const page = db.query<StoredPet, [bigint, number]>(
		`SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
	);
	for (let after: bigint | undefined = afterId; after !== undefined; ) {
		const rows: StoredPet[] = takeSome(page.iterate(after, archiveRows));
		yield { kind: "pets", rows };
		after = rows.at(-1)?.id;
	}
}

/** Not more text than a part may have. A name can be long. */
function takeSome(pets: Iterable<StoredPet>): StoredPet[] {
	const taken: StoredPet[] = [];
	let length = 0;
	for (const pet of pets) {
		taken.push(pet);
		length += pet.name.length;
		if (length > archivePartLength) break;
	}
	return taken;
}

export function* readRemovedIds(db: Database): Generator<Part> {
	const page = db.query<{ id: bigint }, [bigint, number]>(
		"SELECT pet_id AS id FROM changes WHERE kind = 'removed' AND pet_id > ? ORDER BY pet_id LIMIT ?",
	);
	for (let after: bigint | undefined = 0n; after !== undefined; ) {
		const rows: bigint[] = page.all(after, archiveRows).map(({ id }) => id);
		if (rows.length > 0) yield { kind: "removedIds", rows };
		after = rows.at(-1);
	}
}

export function* readIdempotencyKeys(db: Database): Generator<Part> {
	const page = db.query<IdempotencyRow, [number, string, string, number]>(
		`SELECT ${idempotencyColumns} FROM idempotency_keys
		WHERE used_at > ? AND (owner, key) > (?, ?) ORDER BY owner, key LIMIT ?`,
	);
	const expiredAt = Date.now() - idempotencyLifetimeMs;
	let after: IdempotencyRow | undefined;
	do {
		const { owner = "", key = "" } = after ?? {};
		const rows = page.all(expiredAt, owner, key, archiveRows);
		yield { kind: "idempotencyKeys", rows: rows.map(toIdempotency) };
		after = rows.at(-1);
	} while (after !== undefined);
}

export const idempotencyColumns =
	"owner, key, fingerprint, pet_id AS petId, used_at AS at";

export interface IdempotencyRow {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: bigint;
	readonly at: bigint;
}

export function toIdempotency(row: IdempotencyRow): StoredIdempotency {
	return { ...row, at: Number(row.at) };
}

export function* readUsage(db: Database): Generator<Part> {
	const page = db.query<UsageValues, [...UsageKey, number]>(
		`SELECT * FROM usage WHERE (period, starts_at, key, operation, status) > (?, ?, ?, ?, ?)
		ORDER BY period, starts_at, key, operation, status LIMIT ?`,
	);
	let after: UsageKey | undefined = ["", 0, "", "", 0];
	while (after !== undefined) {
		const rows: UsageRow[] = page.all(...after, archiveRows).map(toUsageRow);
		if (rows.length > 0) yield { kind: "usage", rows };
		const last: UsageRow | undefined = rows.at(-1);
		after = last && [
			...([last.period, last.startsAt, last.key] as const),
			...([last.operation, last.status] as const),
		];
	}
}

type UsageKey = [string, number, string, string, number];

export function readImports(db: Database): Part {
	const rows = db
		.query<{ id: string; animals: bigint; finishedAt: bigint }, []>(
			"SELECT id, animals, finished_at AS finishedAt FROM imports ORDER BY id",
		)
		.all()
		.map(({ id, animals, finishedAt }) => ({
			id,
			animals: Number(animals),
			finishedAt: Number(finishedAt),
		}));
	return { kind: "imports", rows };
}
