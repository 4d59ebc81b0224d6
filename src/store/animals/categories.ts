// Categories: every one that has a name or animals. Animals may have any category id, with a name or without.
import { Failure } from "../../domain/errors.ts";
import { toCountText } from "../../domain/quantity.ts";
import { toComparable } from "../../domain/text.ts";
import type { Engine } from "../database/engine.ts";
import {
	all,
	findAmong,
	first,
	insertRows,
	type Work,
} from "../database/sql.ts";
import { fold, selectDeltas } from "../edits/totals.ts";

/** Names. Enough for a shop, and few enough for the memory of an import. */
export const maxCategories = 10_000;

export type Categories = ReturnType<typeof openCategories>;

export interface Category {
	readonly id: bigint;
	readonly name: string | undefined;
	/** How many animals have it. */
	readonly pets: bigint;
}

export function openCategories({ read, write }: Engine) {
	return {
		/** In the order of their ids, from `from` on. */
		list: async (from: bigint, limit: number): Promise<readonly Category[]> =>
			read(() => list(from, limit)),

		/** Names a category, or renames it. Throws `conflict` if another has the name, or too many have one. */
		set: (id: bigint, name: string): Promise<Category> =>
			write(() => set(id, name)),

		/** The same under an id that `findFree` finds. */
		add: (name: string): Promise<Category> => write(() => addCategory(name)),

		/** Returns whether the category had a name. */
		async remove(id: bigint): Promise<boolean> {
			const removed = await write(() =>
				all(
					"remove category",
					"DELETE FROM categories WHERE id = $1 RETURNING id",
					[id],
				),
			);
			return removed.length > 0;
		},
	};
}

/** Each part is limited, since animals may have a million categories. `changed` has those whose numbers changed since the last fold. */
const select = `WITH changed AS MATERIALIZED (
		SELECT id, CAST(more + coalesce((SELECT sum(pets) FROM counts WHERE category_id = id), 0) AS int8) AS pets
		FROM (SELECT category_id AS id, sum(pets) AS more FROM (${selectDeltas}) AS deltas GROUP BY category_id) AS added
	)
	SELECT ids.id, (SELECT name FROM categories WHERE categories.id = ids.id) AS name,
		coalesce(changed.pets, (SELECT CAST(sum(counts.pets) AS int8) FROM counts WHERE category_id = ids.id), 0) AS pets
	FROM (
		SELECT id FROM (SELECT id FROM categories WHERE id >= $1 ORDER BY id LIMIT $2 + 0) AS named
		UNION SELECT id FROM (
			SELECT DISTINCT category_id AS id FROM counts
			WHERE category_id >= $1 AND category_id NOT IN (SELECT id FROM changed) ORDER BY category_id LIMIT $2 + 0
		) AS used
		UNION SELECT id FROM changed WHERE id >= $1 AND pets > 0
		ORDER BY id LIMIT $2 + 0
	) AS ids LEFT JOIN changed ON changed.id = ids.id ORDER BY ids.id`;

function* list(from: bigint, limit: number): Work<readonly Category[]> {
	const rows = yield* all<Omit<Category, "name"> & { name: string | null }>(
		"list categories",
		select,
		[from, limit],
	);
	return rows.map((row) => ({ ...row, name: row.name ?? undefined }));
}

function* set(id: bigint, name: string): Work<Category> {
	const comparedName = toComparable(name);
	const rows = yield* all<{ id: bigint }>(
		"compare category names",
		"SELECT id FROM categories WHERE id = $1 UNION SELECT id FROM categories WHERE compared_name = $2",
		[id, comparedName],
	);
	const other = rows.find((row) => row.id !== id);
	if (other !== undefined)
		throw new Failure(
			"conflict",
			`Category ${other.id} has this name; case is ignored.`,
		);
	if (rows.length === 0) yield* requireRoom(1);
	yield* insertRows("categories", [{ id, name, comparedName }], "replace");
	const [category = { id, name, pets: 0n }] = yield* list(id, 1);
	return category;
}

const tooMany = new Failure(
	"conflict",
	`At most ${toCountText(maxCategories)} categories can have a name; remove another name first.`,
);

/** Throws if not so many more can have a name. */
export function* requireRoom(more: number): Work<void> {
	const named = yield* first<{ count: bigint }>(
		"count category names",
		"SELECT count(*) AS count FROM categories",
	);
	if (Number(named?.count) + more > maxCategories) throw tooMany;
}

function* addCategory(name: string): Work<Category> {
	const [id = 1n] = yield* findFree(1);
	return yield* set(id, name);
}

/** Names new categories, of which none has one of these names. Returns their ids by what `toComparable` makes of the names. */
export function* addCategories(
	names: ReadonlyMap<string, { readonly name: string }>,
): Work<ReadonlyMap<string, bigint>> {
	const free = yield* findFree(names.size);
	const rows = [...names].map(([comparedName, { name }], index) => ({
		id: free[index] ?? 0n,
		name,
		comparedName,
	}));
	yield* insertRows("categories", rows);
	return new Map(rows.map(({ id, comparedName }) => [comparedName, id]));
}

/** Ids from 1 up that have neither a name nor animals; the lowest ones, if the ids in use follow each other from 1. */
function* findFree(count: number): Work<readonly bigint[]> {
	const found: bigint[] = [];
	if (count > 0) yield* fold();
	for (let from = 0n; found.length < count; ) {
		const free = yield* first<{ id: bigint }>("find free category", nextFree, [
			from,
		]);
		// Where all that it looks at are taken, another start looks at others.
		const id = free?.id ?? from + 1n;
		// Those that follow it, without those that are taken. Nobody looks at an id twice.
		const to = id + BigInt(count - found.length);
		const rows = yield* all<{ id: bigint }>("find taken categories", taken, [
			id,
			to,
		]);
		const ids = new Set(rows.map((row) => row.id));
		for (from = id; from < to; from++) if (!ids.has(from)) found.push(from);
	}
	return found;
}

/** The id that the next step looks at. */
const id = `CASE WHEN high IS NULL THEN $1 + step ELSE (low + high) / 2 END`;

/** Of EXISTS, PostgreSQL would make a hash of all names. */
const isTaken = `coalesce((SELECT 1 FROM categories WHERE categories.id = ${id}), (SELECT 1 FROM counts WHERE category_id = ${id} LIMIT 1)) IS NOT NULL`;

/**
 * A free id after $1, in few steps however many are taken: looks at the first, second, fourth, eighth … id after it until one is free, and
 * then between that and the last one that was taken, each time in the middle. Nothing if all of the first ones are taken.
 */
const nextFree = `WITH RECURSIVE looked (low, high, step) AS (
		SELECT CAST($1 AS int8), CAST(NULL AS int8), CAST(1 AS int8)
		UNION ALL SELECT CASE WHEN ${isTaken} THEN ${id} ELSE low END, CASE WHEN ${isTaken} THEN high ELSE ${id} END,
			CASE WHEN high IS NULL THEN step * 2 ELSE step END
		FROM looked WHERE (high IS NULL AND step < ${2n ** 61n}) OR high - low > 1
	)
	SELECT high AS id FROM looked WHERE high - low = 1`;

const taken = `SELECT id FROM categories WHERE id >= $1 AND id < $2
	UNION SELECT category_id FROM counts WHERE category_id >= $1 AND category_id < $2`;

/** The ids of categories by their names, which are what `toComparable` makes of them. */
export function* findCategories(
	names: Iterable<string>,
): Work<Map<string, bigint>> {
	const rows = yield* findAmong<{ name: string; id: bigint }>(
		"find categories",
		"SELECT compared_name AS name, id FROM categories WHERE compared_name IN (#)",
		Array.from(names, (name) => [name]),
	);
	return new Map(rows.map(({ name, id }) => [name, id]));
}
