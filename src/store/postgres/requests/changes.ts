// Changing and removing animals in PostgreSQL: all of a call in one statement, so in one transaction.
import type { Authored } from "../../../domain/author.ts";
import { givenNames } from "../../../domain/pet.ts";
import type { EngineRow } from "../../archive/tables.ts";
import {
	type Changed,
	type ChangeRefused,
	type FoundPet,
	type PetChange,
	toPlan,
} from "../../catalogue.ts";
import { insertHistory, toBefore } from "../../history.ts";
import {
	addedColumns,
	foundPetColumns,
	toFoundPet,
	toGiven,
	toList,
	toMerged,
	toVersionTest,
} from "../../rows.ts";
import { type Database, query, toStatements } from "../database.ts";
import { nextId } from "../feed/epoch.ts";
import { givenTypes, toArrays } from "../rows.ts";

export async function changePets(
	db: Database,
	changes: readonly PetChange[],
	/** Undefined if no history is kept. */
	authored: Authored | undefined,
): Promise<Changed> {
	// If a change follows the removal of its animal, the statement only checks the changes before it.
	const { checked, results, refused } = toPlan(changes);
	const written = refused === undefined ? [...results.values()] : [];
	const sets = written.flatMap(({ petId, set, putBack }) =>
		set === undefined ? [] : [{ petId, set, putBack }],
	);
	const removed = written.filter(({ set }) => set === undefined);
	const values = [
		checked.map((_, index) => index),
		checked.map(({ petId }) => petId),
		checked.map(({ condition }) => condition ?? null),
		checked.map(({ putBack }) => putBack !== undefined),
		removed.map(({ petId }) => petId),
		authored?.at ?? null,
		authored?.by.kind ?? null,
		authored?.by.id ?? null,
		authored?.by.name ?? null,
		sets.map(({ petId }) => petId),
		sets.map(({ set }) => toGiven(set)),
		sets.map(({ putBack }) => putBack?.addedAt ?? null),
		sets.map(({ putBack }) => putBack?.addedBy ?? null),
		...givenNames.map((name) => sets.map(({ set }) => set[name] ?? null)),
	];
	const rows = await query<ResultRow>(db.writes, statements.changePets, values);
	return toChanged(changes, refused, rows);
}

/** One row for the first refused change, with its animal if it exists; or else one row for each animal that is left. */
type ResultRow = EngineRow & { readonly index: number | null };

function toChanged(
	changes: readonly PetChange[],
	refused: ChangeRefused | undefined,
	rows: readonly ResultRow[],
): Changed {
	const left = new Map<bigint, FoundPet>();
	for (const { index, ...row } of rows) {
		const pet = row.id === null ? undefined : toFoundPet(row);
		if (index !== null)
			return pet === undefined
				? { outcome: "missing", index }
				: { outcome: "differs", index, pet };
		if (pet !== undefined) left.set(pet.id, pet);
	}
	const pets = changes.map(({ petId }) => left.get(petId));
	return refused ?? { outcome: "changed", pets };
}

const fulfils = toVersionTest(
	"checks.condition",
	"(SELECT feed_base FROM petstore.catalogue)",
	"coalesce(locked.version, locked.id)",
	(text, part) => `strpos(${text}, ${part})`,
);

const statements = toStatements({
	// `locked` has the newest version of each row, even if another transaction has changed it since the statement began. It locks the rows
	// in the order of their ids, so that two statements cannot deadlock.
	// Each outcome writes to PostgreSQL's WAL, so the commit waits for a synchronous standby. An earlier request may have made the same
	// changes without the standby.
	// A version is drawn after the transaction has its xid and its animals are locked.
	// `done` has the change of each animal, for feed and history.
	changePets: `
		WITH checks AS (
			SELECT * FROM unnest($1::int4[], $2::int8[], $3::text[], $4::bool[]) AS checks (index, id, condition, may_be_removed)
		), locked AS MATERIALIZED (
			SELECT * FROM petstore.pets WHERE id = ANY ($2::int8[]) ORDER BY id FOR UPDATE
		), refused AS MATERIALIZED (
			SELECT checks.index, locked.* FROM checks LEFT JOIN locked USING (id)
			WHERE CASE WHEN locked.id IS NULL THEN NOT may_be_removed ELSE NOT ${fulfils} END
			ORDER BY checks.index LIMIT 1
		), sets AS (
			SELECT id, sets.added_at, sets.added_by, ${toMerged("sets", "locked", (column) => ` AS ${column}`)}
			FROM unnest(${toArrays(["int8", "int8", "int8", "int8", ...givenTypes], 10)})
				AS sets (id, given, added_at, added_by, ${toList(givenNames)}) LEFT JOIN locked USING (id)
			WHERE NOT EXISTS (SELECT FROM refused)
		), changed AS (
			UPDATE petstore.pets SET ${toList(givenNames, (column) => `${column} = sets.${column}`)}, version = ${nextId}
			FROM sets JOIN locked USING (id)
			WHERE pets.id = sets.id
				AND (${toList(givenNames, (column) => `sets.${column}`)}) IS DISTINCT FROM (${toList(givenNames, (column) => `locked.${column}`)})
			RETURNING pets.*
		), put_back AS (
			INSERT INTO petstore.pets (id, version, ${addedColumns}) SELECT id, ${nextId}, ${addedColumns} FROM sets
			WHERE NOT EXISTS (SELECT FROM locked WHERE locked.id = sets.id)
			RETURNING *
		), removed AS (
			DELETE FROM petstore.pets WHERE id = ANY ($5::int8[]) AND NOT EXISTS (SELECT FROM refused) RETURNING id
		), done AS MATERIALIZED (
			SELECT version AS position, id, 'changed' AS kind FROM changed
			UNION ALL SELECT version, id, 'added' FROM put_back
			UNION ALL SELECT ${nextId}, id, 'removed' FROM removed
		), recorded AS (
			INSERT INTO petstore.changes (position, pet_id, kind) SELECT * FROM done
			ON CONFLICT (pet_id) DO UPDATE SET position = excluded.position, kind = excluded.kind
		), remembered AS (
			${insertHistory}
			SELECT position, id, kind, $6::int8, $7::text, $8::text, $9::text, ${toBefore("locked")}
			FROM done LEFT JOIN locked USING (id) WHERE $6::int8 IS NOT NULL
		), written AS MATERIALIZED (SELECT pg_logical_emit_message(true, 'petstore', ''))
		SELECT index, ${foundPetColumns} FROM refused, written
		UNION ALL
		SELECT NULL, ${foundPetColumns} FROM (
			SELECT * FROM changed
			UNION ALL
			SELECT * FROM put_back
			UNION ALL
			SELECT * FROM locked WHERE NOT EXISTS (SELECT FROM changed WHERE changed.id = locked.id) AND NOT locked.id = ANY ($5::int8[])
		) AS left_over, written WHERE NOT EXISTS (SELECT FROM refused)`,
});
