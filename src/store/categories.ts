// The names of categories, for people. Animals may have any category id, with a name or without.
import { toComparable } from "../domain/comparable.ts";
import type { Engine } from "./engine.ts";
import { all, first, insertRows, type Work } from "./sql.ts";

/** Enough for a shop, and few enough for one reply. */
export const maxCategories = 10_000;

export type Categories = ReturnType<typeof openCategories>;

export interface Category {
	readonly id: bigint;
	readonly name: string;
}

/** Another category has the name, or too many categories have one. */
export type CategoryRefusal = "taken" | "full";

export function openCategories({ read, write }: Engine) {
	return {
		/** In the order of their ids. */
		list: async (): Promise<readonly Category[]> =>
			read(() => all<Category>("SELECT id, name FROM categories ORDER BY id")),

		/** Names a category, or renames it. */
		set: (category: Category) => write(() => set(category)),

		/** Returns whether the category had a name. */
		async remove(id: bigint): Promise<boolean> {
			const removed = await write(() =>
				all("DELETE FROM categories WHERE id = $1 RETURNING id", [id]),
			);
			return removed.length > 0;
		},
	};
}

function* set({ id, name }: Category): Work<"set" | CategoryRefusal> {
	const comparedName = toComparable(name);
	const others = yield* first<{ count: bigint; taken: bigint }>(
		`SELECT count(*) AS count, count(CASE WHEN compared_name = $1 THEN 1 END) AS taken
		FROM categories WHERE id <> $2`,
		[comparedName, id],
	);
	if (others && others.count >= maxCategories) return "full";
	if (others && others.taken > 0n) return "taken";
	yield* insertRows("categories", [{ id, name, comparedName }], "replace");
	return "set";
}
