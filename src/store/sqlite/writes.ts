// The writes that requests cause, each a transaction of its own.
import type { Database } from "bun:sqlite";
import {
	idempotencyLifetimeMs,
	keyUseIntervalMs,
	type NewPet,
	type PetStatus,
} from "../../contract/v1.ts";
import type { Added, Addition } from "../store.ts";
import { untilUnlocked, write } from "./database.ts";
import { keepLogShort, type LogOptions } from "./wal.ts";

export interface Writes {
	/** All of them in one transaction. */
	addPets(additions: readonly Addition[]): Promise<readonly Added[]>;
	/** Some of those from before this time; not too many at once, so that nobody waits for long. */
	forgetIdempotencyKeys(before: number): Promise<void>;
	recordKeyUse(id: number, at: number): Promise<void>;
	/** Ends what was opened for them alone. */
	close(): Promise<void>;
}

const maxForgotten = 200;

export function prepareWrites(
	db: Database,
	options: LogOptions & {
		/** Told how long each commit took. */
		readonly onCommit?: (ms: number) => void;
	},
): Writes {
	const statements = prepareStatements(db);
	const shortenLog = keepLogShort(db, options);

	async function commit<T>(work: () => T): Promise<T> {
		await untilUnlocked(shortenLog);
		return write(db, work, options.onCommit);
	}

	return {
		addPets: (additions) => commit(() => addAll(statements, additions)),

		async forgetIdempotencyKeys(before) {
			await commit(() =>
				statements.forgetIdempotencyKeys.run(before, maxForgotten),
			);
		},

		async recordKeyUse(id, at) {
			await commit(() => statements.recordKeyUse.run(at, id));
		},

		async close() {},
	};
}

function addAll(
	statements: Statements,
	additions: readonly Addition[],
): readonly Added[] {
	const added: Added[] = [];
	while (added.length < additions.length) {
		const next = additions.slice(added.length, added.length + rowsAtOnce);
		const isPlain = next.every(({ idempotency }) => idempotency === undefined);
		if (isPlain && next.length === rowsAtOnce)
			added.push(...addAtOnce(statements, next));
		else for (const addition of next) added.push(add(statements, addition));
	}
	return added;
}

/** What one statement adds: 3.6 µs for each animal with its share of the commit, against 4.1 by a statement for each. */
const rowsAtOnce = 16;

function addAtOnce(
	statements: Statements,
	additions: readonly Addition[],
): Added[] {
	const { lastInsertRowid } = statements.addPets.run(
		...additions.flatMap(({ pet }) => [pet.name, pet.categoryId, pet.status]),
	);
	// Nobody else writes meanwhile, so the ids follow one another.
	const firstId = BigInt(lastInsertRowid) - BigInt(rowsAtOnce - 1);
	return additions.map((_, place) => ({
		outcome: "added",
		id: firstId + BigInt(place),
	}));
}

function add(statements: Statements, { pet, idempotency }: Addition): Added {
	if (idempotency === undefined)
		return { outcome: "added", id: addPet(statements, pet) };
	const { owner, key, fingerprint, at } = idempotency;
	const earlier = statements.findIdempotencyKey.get(
		owner,
		key,
		at - idempotencyLifetimeMs,
	);
	if (earlier === null) {
		const id = addPet(statements, pet);
		statements.saveIdempotencyKey.run(owner, key, fingerprint, id, at);
		return { outcome: "added", id };
	}
	return earlier.fingerprint === fingerprint
		? { outcome: "replayed", id: earlier.petId }
		: { outcome: "mismatch" };
}

function addPet(statements: Statements, pet: NewPet): bigint {
	const { lastInsertRowid } = statements.addPet.run(
		pet.name,
		pet.categoryId,
		pet.status,
	);
	return BigInt(lastInsertRowid);
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
	return {
		addPet: db.query<never, [string, bigint, PetStatus]>(
			"INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)",
		),
		addPets: db.query<never, (string | bigint)[]>(
			`INSERT INTO pets (name, category_id, status)
			VALUES ${Array(rowsAtOnce).fill("(?, ?, ?)").join(", ")}`,
		),
		findIdempotencyKey: db.query<
			{ fingerprint: string; petId: bigint },
			[string, string, number]
		>(
			`SELECT fingerprint, pet_id AS petId FROM idempotency_keys
			WHERE owner = ? AND key = ? AND used_at > ?`,
		),
		// REPLACE: one that is past its time may still be there.
		saveIdempotencyKey: db.query<
			never,
			[string, string, string, bigint, number]
		>(
			`INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
			VALUES (?, ?, ?, ?, ?)`,
		),
		forgetIdempotencyKeys: db.query<never, [number, number]>(
			`DELETE FROM idempotency_keys WHERE (owner, key) IN
			(SELECT owner, key FROM idempotency_keys WHERE used_at < ? LIMIT ?)`,
		),
		recordKeyUse: db.query<never, [number, number]>(
			`UPDATE keys SET last_used_at = ?1
			WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ${keyUseIntervalMs})`,
		),
	};
}
