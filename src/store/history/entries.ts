// The entries of the history: their SQL, for both engines, and their rows.
import { type Author, authorKinds } from "../../domain/author.ts";
import { maxNameBytes, petStatuses, type StoredPet } from "../../domain/pet.ts";
import { type EngineRow, tables, toSqlName } from "../archive/tables.ts";
import { type ChangeKind, changeKinds } from "../feed.ts";

export interface HistoryEntry {
	/** In the feed, without its base. That of an add is the id. */
	readonly position: bigint;
	readonly petId: bigint;
	readonly kind: ChangeKind;
	/** Undefined if it is not known when an animal was added. */
	readonly at: number | undefined;
	readonly by: Author | undefined;
	/** Undefined if the animal was added. */
	readonly before: StoredPet | undefined;
	/** Undefined if the animal was removed, or if its next change has no entry. */
	readonly pet: StoredPet | undefined;
}

/** What inserts entries. Their values end with `toBefore`. */
export const insertHistory = `INSERT INTO petstore.history (${Object.keys(tables.history.columns).map(toSqlName).join(", ")})`;

/** The content of an animal for its entry, from its row of `pets`. */
export function toBefore(row: string): string {
	const rest = contentColumns.map((name) => `${row}.${toSqlName(name)}`);
	return `coalesce(${row}.version, ${row}.id), ${rest.join(", ")}`;
}

const contentColumns = ["name", "categoryId", "status", "addedAt", "addedBy"];

/** A page ends when its names may take this as JSON text. */
const maxPageBytes = 256 * 1024;

/** The longest JSON text of a page without the other members: its last entry may exceed the limit. */
export const historyPageBytes = maxPageBytes + 2 * maxNameBytes;

/** An entry shows the animal after it: as it was before the next entry, or as it is now. */
export function toPageQuery(condition: string): string {
	const after = contentColumns.map((name) => {
		const column = toSqlName(name);
		return `coalesce(history.${column}, pets.${column}) AS "after ${name}"`;
	});
	const nameBytes = (name: string) => `coalesce(octet_length(${name}), 0)`;
	const bytes = `6 * (${nameBytes("name")} + ${nameBytes('"after name"')})`;
	return `
		WITH page AS (
			SELECT *, (
				SELECT min(position) FROM petstore.history WHERE history.pet_id = entries.pet_id AND history.position > entries.position
			) AS next_position
			FROM (
				SELECT * FROM petstore.history WHERE position <= $1 AND position >= $2 AND ${condition} ORDER BY position DESC LIMIT $3
			) AS entries
		), joined AS (
			SELECT page.position, page.kind, page.at, page.by_kind AS "byKind", page.by_id AS "byId", page.by_name AS "byName",
				${toContent("page")}, coalesce(history.pet_id, pets.id) AS "after id", page.position AS "after version", ${after}
			FROM page
			LEFT JOIN petstore.history ON history.position = page.next_position AND history.version = page.position
			LEFT JOIN petstore.pets ON pets.id = page.pet_id AND coalesce(pets.version, pets.id) = page.position
		)
		SELECT measured.*, (SELECT count(*) FROM page) AS count FROM (
			SELECT joined.*, sum(${bytes}) OVER (ORDER BY position DESC) - ${bytes} AS "bytesBefore" FROM joined
		) AS measured
		WHERE "bytesBefore" <= ${maxPageBytes} ORDER BY position DESC`;
}

const ofPets = toContent("pets", "id", "coalesce(pets.version, pets.id)");

export const firstContent = `
	WITH oldest AS (SELECT * FROM petstore.history WHERE pet_id = $1 AND version IS NOT NULL ORDER BY position LIMIT 1)
	SELECT contents.*, (SELECT name FROM petstore.keys WHERE keys.id = contents."addedBy") AS "keyName" FROM (
		SELECT ${toContent("oldest")} FROM oldest
		UNION ALL SELECT ${ofPets} FROM petstore.pets WHERE id = $1
	) AS contents ORDER BY version LIMIT 1`;

export const versionContent = `
	SELECT ${toContent("history")} FROM petstore.history WHERE pet_id = $1 AND version = $2
	UNION ALL
	SELECT ${ofPets} FROM petstore.pets WHERE id = $1 AND coalesce(version, id) = $2`;

/** The columns that `toPet` reads. */
function toContent(
	table: string,
	id = "pet_id",
	version = `${table}.version`,
): string {
	const rest = contentColumns.map(
		(name) => `${table}.${toSqlName(name)} AS "${name}"`,
	);
	return `${table}.${id} AS id, ${version} AS version, ${rest.join(", ")}`;
}

export function toEntry(row: EngineRow): HistoryEntry {
	return {
		position: toInt64(row.position),
		petId: toInt64(row.id),
		kind: oneOf(changeKinds, row.kind),
		at: Number(row.at),
		by: {
			kind: oneOf(authorKinds, row.byKind),
			id: row.byId?.toString(),
			name: row.byName?.toString(),
		},
		before: row.version === null ? undefined : toPet(row),
		pet: row["after id"] === null ? undefined : toPet(row, "after "),
	};
}

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

function oneOf<Value extends string>(
	values: readonly [Value, ...Value[]],
	value: EngineRow[string] | undefined,
): Value {
	return values.find((known) => known === value) ?? values[0];
}
