// The history of animals: who changed, removed or put one back, when, and its state before. Only an add by an operator has an entry: of
// others the row of the animal has author and time.

import { fromAuthor, withKeyName } from "../../domain/access/author.ts";
import { pause } from "../../domain/async.ts";
import type { ChangeKind } from "../../domain/pet/change-kinds.ts";
import { petNames, type StoredPet } from "../../domain/pet/pet.ts";
import { toComparable } from "../../domain/text.ts";
import { toRecord } from "../../domain/types/field.ts";
import { findKeyNames } from "../access/keys.ts";
import { findPets } from "../animals/change.ts";
import { searchMs } from "../animals/search.ts";
import type { Engine } from "../database/engine.ts";
import { all, findAmong, type Value, type Work } from "../database/sql.ts";
import { toSelected } from "../database/tables.ts";

export type History = ReturnType<typeof openHistory>;

interface HistoryQuery {
	/** Only entries up to this position. */
	readonly maxPosition: bigint;
	readonly limit: number;
}

interface HistorySearch extends HistoryQuery {
	readonly petId?: bigint | undefined;
	readonly edit?: bigint | undefined;
	/** The kind, key id or name of the author. */
	readonly by?: string | undefined;
	/** A part of the name that the animal had before, or has now. */
	readonly name?: string | undefined;
}

interface HistoryPage {
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
	readonly by: string | undefined;
	/** Undefined for an add without an entry. */
	readonly edit: bigint | undefined;
	/** Undefined if the animal was added. */
	readonly before: StoredPet | undefined;
	/** Undefined if the animal was removed, or if its next change has no entry. */
	readonly pet: StoredPet | undefined;
}

/** Entries that are compared with a name or an author before other requests are answered. */
const searchSlice = 1_000;

export function openHistory({ read }: Engine) {
	/** The entries of all animals, newest first. A search ends after `searchMs` with what it has found. */
	async function readAll(search: HistorySearch): Promise<HistoryPage> {
		const { limit } = search;
		const fits = toTest(search);
		const size = fits === undefined ? limit + 1 : searchSlice;
		const deadline = performance.now() + searchMs;
		const found: HistoryRow[] = [];
		for (let { maxPosition } = search; ; await pause()) {
			const rows = await read(() => readRows(search, maxPosition, size));
			for (const row of rows) {
				if (fits === undefined || fits(row)) found.push(row);
				await pause();
			}
			const last = rows.at(-1)?.position ?? 0n;
			const isEnd = rows.length < size;
			maxPosition = last - 1n;
			const isFull = found.length > limit;
			if (!isEnd && !isFull && performance.now() < deadline) continue;
			const shown = found.slice(0, limit);
			const entries = await read(() => toEntries(shown));
			const more = isEnd ? undefined : last;
			return { entries, next: isFull ? shown.at(-1)?.position : more };
		}
	}

	return {
		readAll,

		/** The entries of one animal, with its add at the end. Undefined if the animal never existed. */
		async readOf(
			petId: bigint,
			query: HistoryQuery,
		): Promise<HistoryPage | undefined> {
			const { limit, maxPosition } = query;
			const page = await readAll({ ...query, petId });
			const { entries, next = entries[limit - 1]?.position } = page;
			if (next !== undefined || entries.at(-1)?.position === petId)
				return { entries, next };
			const add = await read(() => findAdd(petId));
			if (add.length > 0)
				return petId > maxPosition
					? page
					: { entries: [...entries, ...add], next };
			const changes = await read(() =>
				all("find change", "SELECT 1 FROM changes WHERE pet_id = $1", [petId]),
			);
			return changes.length > 0 ? page : undefined;
		},

		/** The content of an animal with a version, earlier or current; undefined if it is not kept. */
		async findVersion(
			petId: bigint,
			version: bigint,
		): Promise<StoredPet | undefined> {
			const found = await read(() => findVersions([{ petId, version }]));
			return found.versions.get(version);
		},
	};
}

/** Undefined if every entry fits. */
function toTest({ by, name = "" }: HistorySearch) {
	if (by === undefined && name === "") return undefined;
	const part = toComparable(name);
	const fits = (text: string | null) =>
		text !== null && toComparable(text).includes(part);
	return (row: HistoryRow) => {
		const author = fromAuthor(row.author);
		return (
			(by === undefined ||
				[author.kind, author.keyId?.toString(), author.name].includes(by)) &&
			(name === "" || fits(row.name) || fits(row.now))
		);
	};
}

/** An entry, or the add of an animal. */
interface ShownRow extends Omit<StoredPet, "version"> {
	readonly position: bigint;
	readonly petId: bigint;
	readonly kind: ChangeKind;
	readonly edit: bigint | undefined;
	readonly at: bigint | null;
	readonly author: string | null;
	/** Null if the animal was added or put back: then nothing was before. */
	readonly version: bigint | null;
}

export interface HistoryRow extends ShownRow {
	readonly author: string;
	/** The name that the animal has now. */
	readonly now: string | null;
}

export const selectHistory = `SELECT ${toSelected("history")} FROM history`;

const ofEdit = toSelected("edits", ["at", "author"]);
const select = `SELECT ${toSelected("history")}, ${ofEdit}, pets.name AS now FROM history
	LEFT JOIN edits ON edits.id = history.edit LEFT JOIN pets ON pets.id = history.pet_id`;

export function toBefore(row: ShownRow): StoredPet | undefined {
	return row.version === null
		? undefined
		: toRecord<StoredPet>(petNames, (name) =>
				name === "id" ? row.petId : row[name],
			);
}

/** The newest up to a position. */
function* readRows(
	{ petId, edit }: HistorySearch,
	maxPosition: bigint,
	rows: number,
): Work<readonly HistoryRow[]> {
	const values: Value[] = [maxPosition, rows];
	let conditions = "position <= $1";
	if (petId !== undefined)
		conditions += ` AND history.pet_id = $${values.push(petId)}`;
	if (edit !== undefined) {
		const id = `$${values.push(edit)}`;
		// Its positions follow each other.
		conditions += ` AND position >= ${id} AND position < (SELECT id + added + changed + removed FROM edits WHERE id = ${id})`;
	}
	return yield* all<HistoryRow>(
		"list history",
		`${select} WHERE ${conditions} ORDER BY position DESC LIMIT $2 + 0`,
		values,
	);
}

function* toEntries(shown: readonly ShownRow[]): Work<readonly HistoryEntry[]> {
	const { versions } = yield* findVersions(
		shown.map(({ petId, position }) => ({ petId, version: position })),
	);
	const named = shown.flatMap(({ author, addedBy }) => [author, addedBy]);
	for (const { addedBy } of versions.values()) named.push(addedBy);
	const names = yield* findKeyNames(named);
	const toNamed = (pet: StoredPet | undefined) =>
		pet && { ...pet, addedBy: withKeyName(pet.addedBy, names) };
	return shown.map(
		(row): HistoryEntry => ({
			...row,
			at: row.at === null ? undefined : Number(row.at),
			by: withKeyName(row.author, names) ?? undefined,
			before: toNamed(toBefore(row)),
			pet: toNamed(versions.get(row.position)),
		}),
	);
}

/** The add of an animal, whose author and time are in the oldest content that is known. */
function* findAdd(petId: bigint): Work<readonly HistoryEntry[]> {
	const { versions } = yield* findVersions([{ petId, version: petId }]);
	const [oldest] = versions.values();
	if (oldest === undefined) return [];
	const { addedAt: at, addedBy: author } = oldest;
	const add = {
		position: petId,
		petId,
		kind: "added",
		edit: undefined,
	} as const;
	return yield* toEntries([{ ...oldest, ...add, at, author, version: null }]);
}

/**
 * The content of animals with these versions, by the version; without those that are not kept. What an animal was before its next entry
 * comes before what it is now.
 */
export function* findVersions(
	asked: readonly {
		readonly petId: bigint;
		readonly version: bigint | undefined;
	}[],
) {
	const current = yield* findPets(asked.map(({ petId }) => petId));
	const earlier = asked.filter(
		({ petId, version }) =>
			version !== undefined && current.get(petId)?.version !== version,
	);
	const next = yield* findNext(earlier);
	const entries = yield* findAmong<HistoryRow>(
		"read entries",
		`${selectHistory} WHERE position IN (#)`,
		next.map(({ position }) => [position]),
	);
	const states = entries.flatMap((row) => toBefore(row) ?? []);
	const versions = new Map(
		[...states, ...current.values()].map((pet) => [pet.version, pet]),
	);
	return { current, versions };
}

/** The next entry of each animal after a position; null without one. */
export function findNext(
	asked: readonly {
		readonly petId: bigint;
		readonly version?: bigint | undefined;
	}[],
) {
	return findAmong<{ petId: bigint; position: bigint | null }>(
		"find next entries",
		nextPositions,
		asked.map(({ petId, version = 0n }) => [petId, version]),
	);
}

/** Found first: joined, PostgreSQL may read the whole history. */
const nextPositions = `WITH asked (pet_id, version) AS (VALUES #) SELECT CAST(pet_id AS int8) AS "petId", (
		SELECT min(position) FROM history
		WHERE pet_id = CAST(asked.pet_id AS int8) AND position > CAST(asked.version AS int8)
	) AS position FROM asked`;
