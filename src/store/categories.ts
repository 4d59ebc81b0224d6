// The names of categories, for people. Animals may have any category id, with a name or without.
import { toComparable } from "../domain/comparable.ts";
import type { EngineRow, SqlRequests } from "./archive/tables.ts";

/** Enough for a shop, and few enough for one reply. */
export const maxCategories = 10_000;

export type Categories = ReturnType<typeof openCategories>;

export interface Category {
	readonly id: bigint;
	readonly name: string;
}

/** Another category has the name, or too many categories have one. */
export type CategoryRefusal = "taken" | "full";

export function openCategories({ read, write }: SqlRequests) {
	return {
		list: () => listCategories(read),

		/** Names a category, or renames it. */
		async set({ id, name }: Category): Promise<"set" | CategoryRefusal> {
			const [others] = await read(
				"SELECT count(*) AS count FROM petstore.categories WHERE id <> $1",
				[id],
			);
			if (Number(others?.count) >= maxCategories) return "full";
			const set = await write(
				`INSERT INTO petstore.categories (id, name, compared_name)
				SELECT CAST($1 AS int8), CAST($2 AS text), CAST($3 AS text)
				WHERE NOT EXISTS (SELECT 1 FROM petstore.categories WHERE compared_name = $3 AND id <> $1)
				ON CONFLICT (id) DO UPDATE SET name = excluded.name, compared_name = excluded.compared_name RETURNING id`,
				[id, name, toComparable(name)],
			);
			return set.length > 0 ? "set" : "taken";
		},

		/** Returns whether the category had a name. */
		async remove(id: bigint): Promise<boolean> {
			const removed = await write(
				"DELETE FROM petstore.categories WHERE id = $1 RETURNING id",
				[id],
			);
			return removed.length > 0;
		},
	};
}

/** In the order of their ids. */
export async function listCategories(
	read: SqlRequests["read"],
): Promise<readonly Category[]> {
	const rows = await read(
		"SELECT id, name FROM petstore.categories ORDER BY id",
	);
	return rows.map(toCategory);
}

function toCategory({ id, name }: EngineRow): Category {
	return { id: BigInt(id ?? 0), name: String(name) };
}
