// The history of animals: who changed, removed or put one back, when, and its state before. The engines write an entry in the transaction
// of its change. An add has no entry, since the row of the animal has its author and time.
import { type Author, authorKinds } from "../domain/author.ts";
import type { StoredPet } from "../domain/pet.ts";
import {
	contentNames,
	type EngineRow,
	type SqlRequests,
	tables,
	toSqlName,
} from "./archive/tables.ts";
import { type ChangeKind, changeKinds } from "./feed.ts";
import { oneOf, toInt64, toList, toPet } from "./rows.ts";

export type History = ReturnType<typeof openHistory>;

export interface HistoryQuery {
	/** Only entries up to this position. */
	readonly maxPosition: bigint;
	readonly limit: number;
}

export interface HistoryPage {
	readonly entries: readonly HistoryEntry[];
	/** The position after which the next page begins; undefined at the end. */
	readonly next: bigint | undefined;
}

export interface HistoryEntry {
	/** In the feed, without its base. For an add it is the id. */
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

/** Entries that one request compares with an author. */
const maxLooked = 5_000;

export function openHistory(read: SqlRequests["read"]) {
	async function readPage(
		{ maxPosition, limit }: HistoryQuery,
		condition: string,
		values: readonly (string | bigint)[] = [],
		end = 0n,
	): Promise<HistoryPage> {
		const page = [maxPosition, end, limit + 1];
		const rows = await read(toPageQuery(condition), [...page, ...values]);
		const entries = rows.slice(0, limit).map(toEntry);
		const isMore = rows.length > limit;
		const next = isMore ? toInt64(rows[entries.length - 1]?.position) : end;
		return { entries, next: next === 0n ? undefined : next };
	}

	/** The last position that one request looks at for an author; 0 if it looks at all entries. */
	async function findEnd(maxPosition: bigint): Promise<bigint> {
		const [row] = await read(
			`SELECT min(position) AS "end", count(*) AS count FROM (
				SELECT position FROM petstore.history WHERE position <= $1 ORDER BY position DESC LIMIT ${maxLooked}
			) AS looked`,
			[maxPosition],
		);
		return Number(row?.count) < maxLooked ? 0n : toInt64(row?.end);
	}

	/** The add of an animal, with the oldest content that is known. */
	async function findAdd(petId: bigint): Promise<HistoryEntry | undefined> {
		const [row] = await read(firstContent, [petId]);
		if (row === undefined) return undefined;
		const pet = toPet(row);
		const { addedAt, addedBy } = pet;
		const name = row.keyName?.toString();
		return {
			position: petId,
			petId,
			kind: "added",
			before: undefined,
			at: addedAt === null ? undefined : Number(addedAt),
			by:
				addedBy === null ? undefined : { kind: "key", id: `${addedBy}`, name },
			// Another version is not the state at the add.
			pet: pet.version === petId ? pet : undefined,
		};
	}

	async function wasRemoved(petId: bigint): Promise<boolean> {
		const query =
			"SELECT 1 FROM petstore.changes WHERE pet_id = $1 AND kind = 'removed'";
		return (await read(query, [petId])).length > 0;
	}

	return {
		/** The entries of all animals, newest first; with `by`, only those whose author has this kind, id or name. */
		async readAll({
			by,
			...query
		}: HistoryQuery & {
			readonly by?: string | undefined;
		}): Promise<HistoryPage> {
			if (by === undefined) return readPage(query, "true");
			const end = await findEnd(query.maxPosition);
			return readPage(query, "$4 IN (by_kind, by_id, by_name)", [by], end);
		},

		/** The entries of one animal, with its add at the end. Undefined if the animal never existed. */
		async readOf(
			petId: bigint,
			query: HistoryQuery,
		): Promise<HistoryPage | undefined> {
			const page = await readPage(query, "pet_id = $4", [petId]);
			const { entries } = page;
			if (page.next !== undefined) return page;
			if (entries.length === query.limit)
				return { entries, next: entries.at(-1)?.position };
			const add = await findAdd(petId);
			if (add !== undefined) return { ...page, entries: [...entries, add] };
			return entries.length > 0 || (await wasRemoved(petId)) ? page : undefined;
		},

		/** The content of an animal with a version, earlier or current; undefined if it is not kept. */
		async findVersion(
			petId: bigint,
			version: bigint,
		): Promise<StoredPet | undefined> {
			const [row] = await read(versionContent, [petId, version]);
			return row && toPet(row);
		},
	};
}

/** The beginning of an INSERT. Its values end with `toBefore`. */
export const insertHistory = `INSERT INTO petstore.history (${Object.keys(tables.history.columns).map(toSqlName).join(", ")})`;

/** The content of an animal for its entry, from its row of `pets`. */
export function toBefore(row: string): string {
	return toList(contentNames, (column) =>
		column === "version"
			? `coalesce(${row}.version, ${row}.id)`
			: `${row}.${column}`,
	);
}

/** An entry also shows the animal after it: as the next entry has it, or as it is now. */
function toPageQuery(condition: string): string {
	const after = toList(contentNames, (column, name) =>
		column === "version"
			? `page.position AS "after version"`
			: `coalesce(history.${column}, pets.${column}) AS "after ${name}"`,
	);
	return `
		WITH page AS (
			SELECT *, (
				SELECT min(position) FROM petstore.history WHERE history.pet_id = entries.pet_id AND history.position > entries.position
			) AS next_position
			FROM (
				SELECT * FROM petstore.history WHERE position <= $1 AND position >= $2 AND ${condition} ORDER BY position DESC LIMIT $3
			) AS entries
		)
		SELECT page.position, page.kind, page.at, page.by_kind AS "byKind", page.by_id AS "byId", page.by_name AS "byName",
			${toContent("page")}, coalesce(history.pet_id, pets.id) AS "after id", ${after}
		FROM page
		LEFT JOIN petstore.history ON history.position = page.next_position AND history.version = page.position
		LEFT JOIN petstore.pets ON pets.id = page.pet_id AND coalesce(pets.version, pets.id) = page.position
		ORDER BY page.position DESC`;
}

const ofPets = toContent("pets", "id", "coalesce(pets.version, pets.id)");

const firstContent = `
	WITH oldest AS (SELECT * FROM petstore.history WHERE pet_id = $1 AND version IS NOT NULL ORDER BY position LIMIT 1)
	SELECT contents.*, (SELECT name FROM petstore.keys WHERE keys.id = contents."addedBy") AS "keyName" FROM (
		SELECT ${toContent("oldest")} FROM oldest
		UNION ALL SELECT ${ofPets} FROM petstore.pets WHERE id = $1
	) AS contents ORDER BY version LIMIT 1`;

const versionContent = `
	SELECT ${toContent("history")} FROM petstore.history WHERE pet_id = $1 AND version = $2
	UNION ALL
	SELECT ${ofPets} FROM petstore.pets WHERE id = $1 AND coalesce(version, id) = $2`;

/** The columns that `toPet` reads. */
function toContent(
	table: string,
	id = "pet_id",
	version = `${table}.version`,
): string {
	const rest = toList(contentNames, (column, name) =>
		column === "version"
			? `${version} AS version`
			: `${table}.${column} AS "${name}"`,
	);
	return `${table}.${id} AS id, ${rest}`;
}

function toEntry(row: EngineRow): HistoryEntry {
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
