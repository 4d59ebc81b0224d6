// The history of animals: who changed, removed or put one back, when, and its state before. An add has no entry, since the row of the animal
// has its author and time.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Author, fromAuthorText } from "../domain/author.ts";
import { toComparable } from "../domain/comparable.ts";
import { toRecord } from "../domain/field.ts";
import { petNames, type StoredPet } from "../domain/pet.ts";
import { findPets } from "./changes.ts";
import type { Engine } from "./engine.ts";
import { searchMs } from "./search.ts";
import { all, findAmong, first, type Value, type Work } from "./sql.ts";
import { type ChangeKind, toSelected } from "./tables.ts";

export type History = ReturnType<typeof openHistory>;

export interface HistoryQuery {
	/** Only entries up to this position. */
	readonly maxPosition: bigint;
	readonly limit: number;
}

export interface HistorySearch extends HistoryQuery {
	readonly petId?: bigint | undefined;
	readonly edit?: bigint | undefined;
	/** The kind, key id or name of the author. */
	readonly by?: string | undefined;
	/** A part of the name that the animal had before, or has now. */
	readonly name?: string | undefined;
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
	/** Undefined for the add of an animal. */
	readonly edit: bigint | undefined;
	/** Undefined if the animal was added. */
	readonly before: StoredPet | undefined;
	/** Undefined if the animal was removed, or if its next change has no entry. */
	readonly pet: StoredPet | undefined;
}

/** Entries that are compared with a name or an author before other requests are answered. */
const searchSlice = 2_000;

export function openHistory({ read }: Engine) {
	return {
		/** The entries of all animals, newest first. A search ends after `searchMs` with what it has found. */
		async readAll(search: HistorySearch): Promise<HistoryPage> {
			const { limit } = search;
			const [condition, ...values] = toCondition(search);
			const fits = toTest(search);
			if (fits === undefined)
				return read(() => readPage(search, condition, values));
			const deadline = performance.now() + searchMs;
			const found: bigint[] = [];
			for (let { maxPosition } = search; ; await nextTurn()) {
				const looked = await read(() =>
					all<Looked>(`${look} AND ${condition} ${newest}`, [
						maxPosition,
						searchSlice,
						...values,
					]),
				);
				for (const one of looked) if (fits(one)) found.push(one.position);
				const lastLooked = looked.at(-1)?.position ?? 0n;
				const isEnd = looked.length < searchSlice;
				const isDue = performance.now() > deadline;
				maxPosition = lastLooked - 1n;
				if (!isEnd && !isDue && found.length <= limit) continue;
				const shown = found.slice(0, limit);
				const rows = await read(() => readRows(shown));
				const more = found.length > limit ? shown.at(-1) : lastLooked;
				const isAll = isEnd && found.length <= limit;
				return { entries: rows, next: isAll ? undefined : more };
			}
		},

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

interface AuthorRow {
	readonly byKind: Author["kind"];
	readonly byId: bigint | null;
	readonly byName: string | null;
}

export function toAuthor({ byKind: kind, byId, byName }: AuthorRow): Author {
	const keyId = byId === null ? undefined : Number(byId);
	return { kind, keyId, name: byName ?? undefined };
}

/** What a search compares. */
interface Looked extends AuthorRow {
	readonly position: bigint;
	readonly before: string | null;
	readonly now: string | null;
}

const ofEdit = toSelected("edits", ["at", "byKind", "byId", "byName"]);
const joined = "FROM history LEFT JOIN edits ON edits.id = history.edit";
const newest = "ORDER BY position DESC LIMIT $2 + 0";
const look = `SELECT position, history.name AS before, pets.name AS now, ${ofEdit} ${joined}
	LEFT JOIN pets ON pets.id = history.pet_id WHERE position <= $1`;

/** The position after the last one of an edit. */
const end = "SELECT id + added + changed + removed FROM edits WHERE id = $3";

/** SQL with its values, which begin with $3. */
function toCondition({
	petId,
	edit,
}: HistorySearch): [condition: string, ...Value[]] {
	if (petId === undefined)
		return edit === undefined
			? ["true"]
			: [`position >= $3 AND position < (${end})`, edit];
	return edit === undefined
		? ["history.pet_id = $3", petId]
		: ["history.pet_id = $3 AND history.edit = $4", petId, edit];
}

/** Undefined if every entry fits. */
function toTest({ by, name = "" }: HistorySearch) {
	if (by === undefined && name === "") return undefined;
	const part = toComparable(name);
	const fits = (text: string | null) =>
		text !== null && toComparable(text).includes(part);
	return ({ before, now, byKind, byId, byName }: Looked) =>
		(by === undefined || [byKind, `${byId}`, byName].includes(by)) &&
		(name === "" || fits(before) || fits(now));
}

export type HistoryRow = Omit<StoredPet, "version"> &
	AuthorRow & {
		readonly position: bigint;
		readonly petId: bigint;
		readonly kind: ChangeKind;
		readonly edit: bigint;
		readonly at: bigint;
		/** Null if the animal was put back: then nothing was before. */
		readonly version: bigint | null;
		/** Of the next entry of this animal. */
		readonly nextPosition: bigint | null;
	};

export const selectHistory = `SELECT ${toSelected("history")} FROM history`;

const select = `SELECT ${toSelected("history")}, ${ofEdit}, (
	SELECT min(later.position) FROM history AS later WHERE later.pet_id = history.pet_id AND later.position > history.position
) AS "nextPosition" ${joined}`;

export function toBefore(row: HistoryRow): StoredPet | undefined {
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
		`${select} WHERE position <= $1 AND ${condition} ${newest}`,
		[maxPosition, limit + 1, ...values],
	);
	const shown = rows.slice(0, limit);
	return {
		entries: yield* toEntries(shown),
		next: rows.length > limit ? shown.at(-1)?.position : undefined,
	};
}

/** The entries at these positions, newest first. */
function* readRows(
	positions: readonly bigint[],
): Work<readonly HistoryEntry[]> {
	const rows = yield* findAmong<HistoryRow>(
		`${select} WHERE`,
		"position",
		positions.map((position) => [position]),
	);
	return yield* toEntries(
		rows.toSorted((one, other) => (one.position < other.position ? 1 : -1)),
	);
}

function* toEntries(
	shown: readonly HistoryRow[],
): Work<readonly HistoryEntry[]> {
	const pets = yield* findPets(shown.map(({ petId }) => petId));
	const following = yield* findAmong<HistoryRow>(
		`${select} WHERE`,
		"position",
		shown.flatMap(({ nextPosition }) =>
			nextPosition === null ? [] : [[nextPosition]],
		),
	);
	const byPosition = new Map(following.map((row) => [row.position, row]));
	return shown.map((row): HistoryEntry => {
		// The animal after an entry: as the next entry has it, or as it is now.
		const next = byPosition.get(row.nextPosition ?? 0n);
		const later = next ? toBefore(next) : pets.get(row.petId);
		return {
			position: row.position,
			petId: row.petId,
			kind: row.kind,
			at: Number(row.at),
			by: toAuthor(row),
			edit: row.edit,
			before: toBefore(row),
			pet: later?.version === row.position ? later : undefined,
		};
	});
}

function* readOf(
	petId: bigint,
	query: HistoryQuery,
): Work<HistoryPage | undefined> {
	const page = yield* readPage(query, "history.pet_id = $3", [petId]);
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
	const by = addedBy === null ? undefined : fromAuthorText(addedBy);
	const key =
		by?.keyId === undefined
			? undefined
			: yield* first<{ name: string }>("SELECT name FROM keys WHERE id = $1", [
					by.keyId,
				]);
	return {
		position: petId,
		petId,
		kind: "added",
		before: undefined,
		at: addedAt === null ? undefined : Number(addedAt),
		by: by && { ...by, ...key },
		edit: undefined,
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
