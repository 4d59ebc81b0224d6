// The columns of animals and counts, and their conversion to records. SQLite returns integers as bigint, PostgreSQL as text.
import { petStatuses, type StoredPet } from "../domain/pet.ts";
import { type EngineRow, tables, toSelected } from "./archive/tables.ts";
import type { CategoryCount } from "./catalogue.ts";

/** The version of an animal that was never changed is its id, and NULL in its row. */
export const petColumns = toSelected(tables.pets).replace(
	'version AS "version"',
	"coalesce(version, id) AS version",
);

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
	const get = (name: string) => row[prefix + name];
	const [addedAt, addedBy] = [get("addedAt"), get("addedBy")];
	return {
		id: toInt64(get("id")),
		name: String(get("name")),
		categoryId: toInt64(get("categoryId")),
		status: oneOf(petStatuses, get("status")),
		version: toInt64(get("version")),
		addedAt: addedAt == null ? null : BigInt(addedAt),
		addedBy: addedBy == null ? null : BigInt(addedBy),
	};
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
