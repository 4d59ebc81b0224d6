// Categories: every one that has a name or animals. Animals may have any category id, with a name or without.
import { Failure } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import { toCountText } from "../domain/quantity.ts";
import { toComparable } from "../domain/text.ts";
import type { Engine } from "./engine.ts";
import { all, findAmong, first, insertRows, type Work } from "./sql.ts";

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

		/** The same under the lowest id from 1 that has neither a name nor animals. */
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

const isUsed = "pets > 0 AND category_id";

/** Each part is limited, since animals may have a million categories. */
const select = `SELECT ids.id, (SELECT name FROM categories WHERE categories.id = ids.id) AS name,
		(SELECT CAST(coalesce(sum(pets), 0) AS int8) FROM counts WHERE category_id = ids.id) AS pets
	FROM (
		SELECT id FROM (SELECT id FROM categories WHERE id >= $1 ORDER BY id LIMIT $2 + 0) AS named
		UNION SELECT id FROM (SELECT DISTINCT category_id AS id FROM counts WHERE ${isUsed} >= $1 ORDER BY category_id LIMIT $2 + 0) AS used
		ORDER BY id LIMIT $2 + 0
	) AS ids ORDER BY ids.id`;

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
	const others = yield* first<{ count: bigint; other: bigint | null }>(
		"compare category names",
		`SELECT count(*) AS count, max(CASE WHEN compared_name = $1 THEN id END) AS other
		FROM categories WHERE id <> $2`,
		[comparedName, id],
	);
	const { count = 0n, other = null } = others ?? {};
	if (other !== null)
		throw new Failure(
			"conflict",
			`Category ${other} has this name; case is ignored.`,
		);
	if (count >= maxCategories) throw tooMany;
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

export function* addCategory(name: string): Work<Category> {
	const found = yield* first<{ id: bigint }>("find free category", lowestFree);
	return yield* set(found?.id ?? 1n, name);
}

/** It is 1, or follows one that is taken. */
const lowestFree = `SELECT min(id) AS id FROM (
		SELECT CAST(1 AS int8) AS id UNION ALL SELECT id + 1 FROM (
			SELECT id FROM categories WHERE id > 0 UNION SELECT category_id FROM counts WHERE ${isUsed} > 0
		) AS taken WHERE id < ${maxInt64}
	) AS next WHERE NOT EXISTS (SELECT 1 FROM categories WHERE categories.id = next.id)
		AND NOT EXISTS (SELECT 1 FROM counts WHERE ${isUsed} = next.id)`;

/** The ids of the categories with these names, without regard to case, by what `toComparable` makes of a name. */
export function* findCategories(
	names: readonly string[],
): Work<Map<string, bigint>> {
	const rows = yield* findAmong<{ name: string; id: bigint }>(
		"find categories",
		"SELECT compared_name AS name, id FROM categories WHERE compared_name IN (#)",
		[...new Set(names.map(toComparable))].map((name) => [name]),
	);
	return new Map(rows.map(({ name, id }) => [name, id]));
}
