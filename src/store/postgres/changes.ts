// Changing and removing animals in PostgreSQL: all of a call in one statement, so in one transaction. docs/design/postgres.md has the
// reasons.
import {
	isSamePet,
	type NewPet,
	type Pet,
	type PetStatus,
} from "../../contract/pet.ts";
import type { Changed, ChangeRefused, PetChange } from "../catalogue.ts";
import { applyChanges } from "../changes.ts";
import { type Database, query, toStatements } from "./database.ts";
import { nextId } from "./next-id.ts";
import { type PetRow, toPet } from "./rows.ts";

export async function changePets(
	db: Database,
	changes: readonly PetChange[],
): Promise<Changed> {
	const { checks, results, refused } = toPlan(changes);
	// If the changes contradict each other, the statement only looks whether an earlier one cannot be done.
	const written = refused === undefined ? [...results] : [];
	const sets = written.flatMap(([petId, set]) =>
		set === undefined ? [] : [{ petId, ...set }],
	);
	const rows = await query<ResultRow>(db.writes, statements.changePets, [
		checks.map(({ index }) => index),
		checks.map(({ petId }) => petId),
		checks.map(({ name }) => name),
		checks.map(({ categoryId }) => categoryId),
		checks.map(({ status }) => status),
		sets.map(({ petId }) => petId),
		sets.map(({ name }) => name ?? null),
		sets.map(({ categoryId }) => categoryId ?? null),
		sets.map(({ status }) => status ?? null),
		written.flatMap(([petId, set]) => (set === undefined ? [petId] : [])),
	]);
	return toChanged(changes, refused, rows);
}

/** What must be true of the stored animal when its change is done: it is there, and the members that are not null are so. */
interface Check {
	readonly index: number;
	readonly petId: bigint;
	readonly name: string | null;
	readonly categoryId: bigint | null;
	readonly status: PetStatus | null;
}

interface Plan {
	readonly checks: readonly Check[];
	/** What all changes of an animal set together; undefined if they remove it. */
	readonly results: ReadonlyMap<bigint, PetChange["set"]>;
	/** The first change that the ones before it make impossible. */
	readonly refused: ChangeRefused | undefined;
}

/** Joins the changes of each animal, since one statement can change a row only once. */
function toPlan(changes: readonly PetChange[]): Plan {
	const checks: Check[] = [];
	const results = new Map<bigint, PetChange["set"]>();
	for (const [index, change] of changes.entries()) {
		const { petId, set } = change;
		const known = results.get(petId);
		if (results.has(petId) && known === undefined)
			return { checks, results, refused: { outcome: "missing", index } };
		checks.push(toCheck(index, change, known));
		if (contradicts(change, known))
			return { checks, results, refused: { outcome: "differs", index } };
		results.set(petId, set && { ...known, ...set });
	}
	return { checks, results, refused: undefined };
}

/** The members that an earlier change has set are not looked up: `contradicts` compares them. */
function toCheck(
	index: number,
	{ petId, expected }: PetChange,
	known: Partial<NewPet> = {},
): Check {
	return {
		index,
		petId,
		name: known.name === undefined ? (expected?.name ?? null) : null,
		categoryId:
			known.categoryId === undefined ? (expected?.categoryId ?? null) : null,
		status: known.status === undefined ? (expected?.status ?? null) : null,
	};
}

function contradicts(
	{ petId, expected }: PetChange,
	known: Partial<NewPet> | undefined,
): boolean {
	return (
		expected !== undefined &&
		!isSamePet({ ...expected, id: petId, ...known }, expected)
	);
}

/** One row for the first change that cannot be done; or else one for each animal, as it was before. */
type ResultRow =
	| { readonly index: number; readonly isMissing: boolean }
	| (PetRow & { readonly index: null });

function toChanged(
	changes: readonly PetChange[],
	refused: ChangeRefused | undefined,
	rows: readonly ResultRow[],
): Changed {
	const before = new Map<bigint, Pet>();
	for (const row of rows) {
		if (row.index !== null)
			return {
				outcome: row.isMissing ? "missing" : "differs",
				index: row.index,
			};
		const pet = toPet(row);
		before.set(pet.id, pet);
	}
	return refused ?? applyChanges(changes, (petId) => before.get(petId));
}

const statements = toStatements({
	// `locked` has the newest version of each row, also if another transaction has changed it since the statement began. It locks the rows
	// in the order of their ids, so that two statements cannot deadlock.
	// Equal values are written too, and each outcome writes to PostgreSQL's WAL. So the commit waits for a synchronous standby, also if an
	// earlier request has done the same changes and it is not known whether the standby has them.
	// A position in the feed is drawn after the transaction has its xid and its animals are locked: see docs/design/feed.md.
	changePets: `
		WITH checks AS (
			SELECT * FROM unnest($1::int4[], $2::int8[], $3::text[], $4::int8[], $5::text[])
				AS checks (index, id, name, category_id, status)
		), locked AS MATERIALIZED (
			SELECT id, name, category_id, status FROM petstore.pets WHERE id = ANY ($2::int8[]) ORDER BY id FOR UPDATE
		), refused AS MATERIALIZED (
			SELECT checks.index, locked.id IS NULL AS is_missing FROM checks LEFT JOIN locked USING (id)
			WHERE locked.id IS NULL OR checks.name <> locked.name OR checks.category_id <> locked.category_id OR checks.status <> locked.status
			ORDER BY checks.index LIMIT 1
		), changed AS (
			UPDATE petstore.pets SET name = COALESCE(sets.name, pets.name),
				category_id = COALESCE(sets.category_id, pets.category_id), status = COALESCE(sets.status, pets.status)
			FROM unnest($6::int8[], $7::text[], $8::int8[], $9::text[]) AS sets (id, name, category_id, status)
			WHERE pets.id = sets.id AND NOT EXISTS (SELECT FROM refused)
		), removed AS (
			DELETE FROM petstore.pets WHERE id = ANY ($10::int8[]) AND NOT EXISTS (SELECT FROM refused)
		), recorded AS (
			INSERT INTO petstore.changes (position, pet_id, kind)
			SELECT ${nextId}, locked.id, results.kind
			FROM (SELECT unnest($6::int8[]) AS id, 'changed' AS kind UNION ALL SELECT unnest($10::int8[]), 'removed') AS results
				JOIN locked USING (id)
			WHERE NOT EXISTS (SELECT FROM refused)
			ON CONFLICT (pet_id) DO UPDATE SET position = excluded.position, kind = excluded.kind
		), written AS MATERIALIZED (SELECT pg_logical_emit_message(true, 'petstore', ''))
		SELECT index, is_missing AS "isMissing", NULL AS id, NULL AS name, NULL AS "categoryId", NULL AS status
			FROM refused, written
		UNION ALL
		SELECT NULL, NULL, id, name, category_id, status FROM locked, written WHERE NOT EXISTS (SELECT FROM refused)`,
});
