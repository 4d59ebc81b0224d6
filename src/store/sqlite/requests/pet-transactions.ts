// The transactions that add, change and remove animals, with their Idempotency-Keys.
import type { Database } from "bun:sqlite";
import type { Authored } from "../../../domain/author.ts";
import { idsExhausted } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { givenNames, type StoredPet } from "../../../domain/pet.ts";
import { idempotencyLifetimeMs } from "../../../limits.ts";
import {
	type Added,
	type Addition,
	type Changed,
	type FoundPet,
	isFirstWithItsKey,
	type PetChange,
	toPlan,
	toRepeated,
} from "../../catalogue.ts";
import {
	addedColumns,
	addedNames,
	foundPetColumns,
	toList,
	toVersionTest,
} from "../../rows.ts";
import { isFull } from "../errors.ts";
import { readLastId } from "../feed/epoch.ts";
import { prepareRecord } from "../feed/feed.ts";
import { toSqliteText } from "../sql.ts";

export type PetTransactions = ReturnType<typeof preparePetTransactions>;

export function preparePetTransactions(db: Database) {
	return {
		addPets: prepareAdds(db),
		changePets: prepareChanges(db),
	};
}

function prepareAdds(
	db: Database,
): (additions: readonly Addition[]) => readonly Added[] {
	const inserts = insertSizes.map((size) => prepareInsert(db, size));
	const findKey = db.query<
		{ fingerprint: string; id: bigint; at: bigint },
		[string, string, number]
	>(
		`SELECT fingerprint, pet_id AS id, used_at AS at FROM idempotency_keys
		WHERE owner = ? AND key = ? AND used_at > ?`,
	);
	// REPLACE, since an expired key may still exist.
	const saveKey = db.query(
		`INSERT OR REPLACE INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
		VALUES (?, ?, ?, ?, ?)`,
	);

	function findEarlier({ idempotency }: Addition) {
		if (idempotency === undefined) return undefined;
		const { owner, key, at } = idempotency;
		return findKey.get(owner, key, at - idempotencyLifetimeMs) ?? undefined;
	}

	return (additions) => {
		const isFirst = isFirstWithItsKey();
		const isNew = additions.map(
			(addition) => isFirst(addition) && findEarlier(addition) === undefined,
		);
		const added = additions.filter((_, index) => isNew[index]);
		const ids: bigint[] = [];
		try {
			// The ids of one INSERT are consecutive: the counter only grows, and only one transaction writes.
			for (const { size, statement } of inserts)
				while (added.length - ids.length >= size) {
					const rows = added.slice(ids.length, ids.length + size);
					const { lastInsertRowid } = statement.run(...toValues(rows));
					const first = BigInt(lastInsertRowid) - BigInt(size - 1);
					for (const index of rows.keys()) ids.push(first + BigInt(index));
				}
		} catch (error) {
			// SQLite has the same error for a full disk and for exhausted ids.
			throw isFull(error) && readLastId(db) === maxInt64 ? idsExhausted : error;
		}
		for (const [index, { idempotency }] of added.entries()) {
			if (idempotency === undefined) continue;
			const { owner, key, fingerprint, at } = idempotency;
			saveKey.run(owner, key, fingerprint, ids[index] ?? 0n, at);
		}
		let next = 0;
		return additions.map((addition, index) =>
			isNew[index]
				? { outcome: "added", id: ids[next++] ?? 0n }
				: toRepeated(addition, findEarlier(addition)),
		);
	};
}

/** Rows in one INSERT: several are faster than one. */
const insertSizes = [16, 4, 1] as const;

function prepareInsert(db: Database, size: number) {
	const row = `(${toList(givenNames, () => "?")}, ?, ?)`;
	const rows = Array(size).fill(row).join(", ");
	return {
		size,
		statement: db.query<never, Values>(
			`INSERT INTO pets (${toList(givenNames)}, added_at, added_by) VALUES ${rows}`,
		),
	};
}

type Values = (string | bigint | number | null)[];

function toValues(additions: readonly Addition[]): Values {
	const values: Values = [];
	for (const { pet, origin } of additions) {
		for (const name of givenNames) values.push(pet[name]);
		values.push(origin?.at ?? Date.now(), origin?.by ?? null);
	}
	return values;
}

/** Makes all changes or none. */
function prepareChanges(db: Database): (
	changes: readonly PetChange[],
	/** Undefined if no history is kept. */
	authored: Authored | undefined,
) => Changed {
	const getPet = db.query<FoundPet, [bigint]>(
		toSqliteText(`SELECT ${foundPetColumns} FROM pets WHERE id = ?`),
	);
	/** Finds the animal ?1 if it has a version that the condition ?2 names. */
	const findMatch = db.query(
		`SELECT 1 FROM pets WHERE id = ?1 AND (?2 IS NULL OR ${toVersionTest(
			"?2",
			"(SELECT feed_base FROM catalogue)",
			"ifnull(version, id)",
			(text, part) => `instr(${text}, ${part})`,
		)})`,
	);
	const change = db.query(
		`UPDATE pets SET ${toList(givenNames, (column) => `${column} = ?`)}, version = ? WHERE id = ?`,
	);
	const remove = db.query("DELETE FROM pets WHERE id = ?");
	const putBack = db.query(
		`INSERT INTO pets (id, version, ${addedColumns}) VALUES (?, ?, ${addedNames.map(() => "?").join(", ")})`,
	);
	const record = prepareRecord(db);

	function changePet(
		{ petId, set, putBack: origin }: PetChange,
		authored: Authored | undefined,
	): void {
		if (set === undefined) {
			record(petId, "removed", authored);
			remove.run(petId);
			return;
		}
		const before = getPet.get(petId);
		if (before !== null) {
			const after = { ...before, ...set };
			if (givenNames.every((name) => after[name] === before[name])) return;
			const version = record(petId, "changed", authored);
			const values = givenNames.map((name) => after[name]);
			change.run(...values, version, petId);
		} else if (origin !== undefined) {
			const version = record(petId, "added", authored);
			const whole: Partial<StoredPet> = { ...set, ...origin };
			const values = addedNames.map((name) => whole[name] ?? null);
			putBack.run(petId, version, ...values);
		}
	}

	return (changes, authored) => {
		const { checked, results, refused } = toPlan(changes);
		for (const [index, change] of checked.entries()) {
			const { petId, condition = null } = change;
			if (findMatch.get(petId, condition) !== null) continue;
			const pet = getPet.get(petId);
			if (pet !== null) return { outcome: "differs", index, pet };
			if (change.putBack === undefined) return { outcome: "missing", index };
		}
		if (refused !== undefined) return refused;
		for (const result of results.values()) changePet(result, authored);
		return {
			outcome: "changed",
			pets: changes.map(({ petId }) => getPet.get(petId) ?? undefined),
		};
	};
}
