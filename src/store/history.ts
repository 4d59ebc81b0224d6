// The history of animals: who changed, removed or put one back, when, and its state before. An add has no entry, since the row of the animal
// has its author and time.
import type { Author } from "../domain/author.ts";
import { toRecord } from "../domain/field.ts";
import { petNames, type StoredPet } from "../domain/pet.ts";
import { findPets } from "./changes.ts";
import type { Engine } from "./engine.ts";
import { all, findAmong, first, type Value, type Work } from "./sql.ts";
import { type ChangeKind, toSelected } from "./tables.ts";

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

export function openHistory({ read }: Engine) {
	return {
		/** The entries of all animals, newest first; with `by`, only those whose author has this kind, id or name. */
		readAll: async ({
			by,
			...query
		}: HistoryQuery & {
			readonly by?: string | undefined;
		}): Promise<HistoryPage> =>
			read(() => (by === undefined ? readPage(query) : readBy(query, by))),

		/** The entries of one animal, with its add at the end. Undefined if the animal never existed. */
		readOf: async (
			petId: bigint,
			query: HistoryQuery,
		): Promise<HistoryPage | undefined> => read(() => readOf(petId, query)),

		/** The content of an animal with a version, earlier or current; undefined if it is not kept. */
		findVersion: async (
			petId: bigint,
			version: bigint,
		): Promise<StoredPet | undefined> =>
			read(() => findVersion(petId, version)),
	};
}

type HistoryRow = Omit<StoredPet, "version"> & {
	readonly position: bigint;
	readonly petId: bigint;
	readonly kind: ChangeKind;
	readonly at: bigint;
	readonly byKind: Author["kind"];
	readonly byId: string | null;
	readonly byName: string | null;
	/** Null if the animal was put back: then nothing was before. */
	readonly version: bigint | null;
	/** Of the next entry of this animal. */
	readonly nextPosition: bigint | null;
};

const select = `SELECT ${toSelected("history")}, (
	SELECT min(later.position) FROM history AS later WHERE later.pet_id = history.pet_id AND later.position > history.position
) AS "nextPosition" FROM history`;

function toBefore(row: HistoryRow): StoredPet | undefined {
	return row.version === null
		? undefined
		: toRecord<StoredPet>(petNames, (name) =>
				name === "id" ? row.petId : row[name],
			);
}

function* readPage(
	{ maxPosition, limit }: HistoryQuery,
	condition = "true",
	values: readonly Value[] = [],
): Work<HistoryPage> {
	const rows = yield* all<HistoryRow>(
		`${select} WHERE position <= $1 AND ${condition} ORDER BY position DESC LIMIT $2 + 0`,
		[maxPosition, limit + 1, ...values],
	);
	const shown = rows.slice(0, limit);
	const pets = yield* findPets(shown.map(({ petId }) => petId));
	const following = yield* findAmong<HistoryRow>(
		`${select} WHERE`,
		"position",
		shown.flatMap(({ nextPosition }) =>
			nextPosition === null ? [] : [[nextPosition]],
		),
	);
	const byPosition = new Map(following.map((row) => [row.position, row]));
	const entries = shown.map((row): HistoryEntry => {
		// The animal after an entry: as the next entry has it, or as it is now.
		const next = byPosition.get(row.nextPosition ?? 0n);
		const later = next ? toBefore(next) : pets.get(row.petId);
		const { byKind: kind, byId, byName } = row;
		return {
			position: row.position,
			petId: row.petId,
			kind: row.kind,
			at: Number(row.at),
			by: { kind, id: byId ?? undefined, name: byName ?? undefined },
			before: toBefore(row),
			pet: later?.version === row.position ? later : undefined,
		};
	});
	return {
		entries,
		next: rows.length > limit ? shown.at(-1)?.position : undefined,
	};
}

/** Looks at some entries, since authors have no index. */
function* readBy(query: HistoryQuery, by: string): Work<HistoryPage> {
	const looked = yield* all<{ position: bigint }>(
		`SELECT position FROM history WHERE position <= $1 ORDER BY position DESC LIMIT ${maxLooked}`,
		[query.maxPosition],
	);
	const end = looked.length < maxLooked ? 0n : (looked.at(-1)?.position ?? 0n);
	const page = yield* readPage(
		query,
		"$3 IN (by_kind, by_id, by_name) AND position >= $4",
		[by, end],
	);
	return { ...page, next: page.next ?? (end === 0n ? undefined : end) };
}

function* readOf(
	petId: bigint,
	query: HistoryQuery,
): Work<HistoryPage | undefined> {
	const page = yield* readPage(query, "pet_id = $3", [petId]);
	const { entries } = page;
	if (page.next !== undefined) return page;
	if (entries.length === query.limit)
		return { entries, next: entries.at(-1)?.position };
	const add = yield* findAdd(petId);
	if (add !== undefined) return { ...page, entries: [...entries, add] };
	const removed = yield* all(
		"SELECT 1 FROM changes WHERE pet_id = $1 AND kind = 'removed'",
		[petId],
	);
	return entries.length > 0 || removed.length > 0 ? page : undefined;
}

/** The add of an animal, with the oldest content that is known. */
function* findAdd(petId: bigint): Work<HistoryEntry | undefined> {
	const oldest = yield* first<HistoryRow>(
		`${select} WHERE pet_id = $1 AND version IS NOT NULL ORDER BY position LIMIT 1`,
		[petId],
	);
	const pet = oldest ? toBefore(oldest) : (yield* findPets([petId])).get(petId);
	if (pet === undefined) return undefined;
	const { addedAt, addedBy } = pet;
	const key = yield* first<{ name: string }>(
		"SELECT name FROM keys WHERE id = $1",
		[addedBy],
	);
	return {
		position: petId,
		petId,
		kind: "added",
		before: undefined,
		at: addedAt === null ? undefined : Number(addedAt),
		by:
			addedBy === null
				? undefined
				: { kind: "key", id: `${addedBy}`, name: key?.name },
		// Another version is not the state at the add.
		pet: pet.version === petId ? pet : undefined,
	};
}

function* findVersion(
	petId: bigint,
	version: bigint,
): Work<StoredPet | undefined> {
	const row = yield* first<HistoryRow>(
		`${select} WHERE pet_id = $1 AND version = $2`,
		[petId, version],
	);
	if (row !== undefined) return toBefore(row);
	const pet = (yield* findPets([petId])).get(petId);
	return pet?.version === version ? pet : undefined;
}
