// The columns of animals and counts, and their conversion to records. SQLite returns integers as bigint, PostgreSQL as text.
import { toRecord } from "../domain/field.ts";
import {
	fields,
	givenNames,
	type NewPet,
	type PetPatch,
	petNames,
	type StoredPet,
} from "../domain/pet.ts";
import {
	type EngineRow,
	tables,
	toSelected,
	toSqlName,
} from "./archive/tables.ts";
import type { CategoryCount, FoundPet } from "./catalogue.ts";

/** The version of an animal that was never changed is its id, and NULL in its row. */
export const petColumns = toSelected(tables.pets).replace(
	'version AS "version"',
	"coalesce(version, id) AS version",
);

/** The members that an add writes. Its id is drawn, and is its version. */
export const addedNames = petNames.filter(
	(name) => name !== "id" && name !== "version",
);
export const addedColumns = toList(addedNames);

/** The columns of members, in their order. `change` gives another expression than the name of the column. */
export function toList(
	names: readonly (keyof StoredPet)[],
	change = (column: string, _name: keyof StoredPet) => column,
): string {
	return names.map((name) => change(toSqlName(name), name)).join(", ");
}

/** Which members a patch has, as bits: NULL is a value, which clears a member. */
export function toGiven(patch: PetPatch): number {
	let given = 0;
	for (const [index, name] of givenNames.entries())
		if (patch[name] !== undefined) given |= 1 << index;
	return given;
}

export function isGiven(given: bigint, name: keyof NewPet): boolean {
	return (Number(given) & (1 << givenNames.indexOf(name))) !== 0;
}

/** The members of animals after a patch: rows of `patches` have `given` and the values. */
export function toMerged(
	patches: string,
	pets: string,
	toAlias = (_column: string) => "",
): string {
	return toList(givenNames, (column, name) => {
		const bit = 1 << givenNames.indexOf(name as keyof NewPet);
		return `CASE WHEN ${patches}.given & ${bit} <> 0 THEN ${patches}.${column} ELSE ${pets}.${column} END${toAlias(column)}`;
	});
}

/** With the epoch of the database. */
export const foundPetColumns = `${petColumns}, (SELECT feed_base FROM petstore.catalogue) AS epoch`;

/** SQL that tests a `VersionCondition`. `find` returns SQL for the position of `part` in `text`, 0 if absent. */
export function toVersionTest(
	condition: string,
	epoch: string,
	version: string,
	find: (text: string, part: string) => string,
): string {
	return `(${find(condition, `',' || ${version} || ','`)} > 0
		OR ${find(condition, `',' || ${epoch} || '-' || ${version} || ','`)} > 0)`;
}

export const categoryCountColumns = `category_id AS "categoryId", count(*) AS count, max(id) AS "lastId"`;

export function toCategoryCount(rows: readonly EngineRow[]): CategoryCount {
	let count = 0;
	let lastId: bigint | undefined;
	const byCategory = rows.map((row) => {
		const [own, last] = [Number(row.count), toInt64(row.lastId)];
		count += own;
		if (lastId === undefined || last > lastId) lastId = last;
		return [toInt64(row.categoryId), own] as const;
	});
	return { count, lastId, byCategory };
}

/** `prefix` begins the names of the columns. */
export function toPet(row: EngineRow, prefix: "" | "after " = ""): StoredPet {
	return toRecord<StoredPet>(petNames, (name) => {
		const value = row[prefix + name] ?? null;
		return value === null || fields[name].type.column === "TEXT"
			? value
			: BigInt(value);
	});
}

export function toPets(rows: readonly EngineRow[]): readonly StoredPet[] {
	return rows.map((row) => toPet(row));
}

export function toFoundPet(row: EngineRow): FoundPet {
	return { ...toPet(row), epoch: String(row.epoch) };
}

export function toInt64(value: EngineRow[string] | undefined): bigint {
	return BigInt(value ?? 0);
}

export function oneOf<Value extends string>(
	values: readonly [Value, ...Value[]],
	value: EngineRow[string] | undefined,
): Value {
	return values.find((known) => known === value) ?? values[0];
}
