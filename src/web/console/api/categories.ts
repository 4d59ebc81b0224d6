// The names of categories, as the operator interface has them.
import type { Api } from "./api.ts";
import { int64, list, number, object, optional, text } from "./values.ts";

const toCategory = object({
	id: int64,
	name: text,
	/** The number of its animals; undefined if counting takes too long. */
	pets: optional(number),
});
const toCategories = object({ categories: list(toCategory) });

export type Category = ReturnType<typeof toCategory>;

export function createCategoryNames({ read, send }: Api) {
	return {
		list: async (ending?: AbortSignal) =>
			toCategories(await read("/categories", ending)).categories,
		set: (id: string, name: string) =>
			send("PUT", `/categories/${id}`, { body: { name } }),
		remove: (id: string) => send("DELETE", `/categories/${id}`),
	};
}
