// The history of animals: who changed, removed or put one back, when, and what it was before. The engines write an entry in the transaction
// of its change. An add has no entry, since the animal itself knows it.
import type { StoredPet } from "../../domain/pet.ts";
import type { SqlRequests } from "../archive/tables.ts";
import {
	firstContent,
	type HistoryEntry,
	toEntry,
	toInt64,
	toPageQuery,
	toPet,
	versionContent,
} from "./entries.ts";

export interface History {
	/** The entries of all animals, newest first. */
	readonly readAll: (
		query: HistoryQuery & {
			/** Only entries whose author has this kind, id or name. */
			readonly by?: string | undefined;
		},
	) => Promise<HistoryPage>;
	/** Those of one animal, with its add at the end. Undefined if the animal never existed. */
	readonly readOf: (
		petId: bigint,
		query: HistoryQuery,
	) => Promise<HistoryPage | undefined>;
	/** The content of an animal with a version, earlier or current; undefined if it is not kept. */
	readonly findVersion: (
		petId: bigint,
		version: bigint,
	) => Promise<StoredPet | undefined>;
}

export interface HistoryQuery {
	/** Only entries up to this position. */
	readonly maxPosition: bigint;
	/** At most so many. Long names give fewer. */
	readonly limit: number;
}

export interface HistoryPage {
	readonly entries: readonly HistoryEntry[];
	/** The position after which the next page begins; undefined at the end. */
	readonly next: bigint | undefined;
}

/** Entries that one request compares with an author. */
const maxLooked = 5_000;

export function openHistory(read: SqlRequests["read"]): History {
	async function readPage(
		{ maxPosition, limit }: HistoryQuery,
		condition: string,
		values: readonly (string | bigint)[] = [],
		end = 0n,
	): Promise<HistoryPage> {
		const page = [maxPosition, end, limit + 1];
		const rows = await read(toPageQuery(condition), [...page, ...values]);
		const entries = rows.slice(0, limit).map(toEntry);
		const isMore = Number(rows[0]?.count ?? 0) > entries.length;
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
			...{ position: petId, petId, kind: "added", before: undefined },
			at: addedAt === null ? undefined : Number(addedAt),
			by:
				addedBy === null ? undefined : { kind: "key", id: `${addedBy}`, name },
			// Otherwise it was changed before.
			pet: pet.version === petId ? pet : undefined,
		};
	}

	async function wasRemoved(petId: bigint): Promise<boolean> {
		const query =
			"SELECT 1 FROM petstore.changes WHERE pet_id = $1 AND kind = 'removed'";
		return (await read(query, [petId])).length > 0;
	}

	return {
		async readAll({ by, ...query }) {
			if (by === undefined) return readPage(query, "true");
			const end = await findEnd(query.maxPosition);
			return readPage(query, "$4 IN (by_kind, by_id, by_name)", [by], end);
		},

		async readOf(petId, query) {
			const page = await readPage(query, "pet_id = $4", [petId]);
			const { entries } = page;
			if (page.next !== undefined) return page;
			if (entries.length === query.limit)
				return { entries, next: entries.at(-1)?.position };
			const add = await findAdd(petId);
			if (add !== undefined) return { ...page, entries: [...entries, add] };
			return entries.length > 0 || (await wasRemoved(petId)) ? page : undefined;
		},

		async findVersion(...wanted) {
			const [row] = await read(versionContent, wanted);
			return row && toPet(row);
		},
	};
}
