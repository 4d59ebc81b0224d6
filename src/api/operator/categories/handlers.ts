// The operations on the names of categories.
import { filters } from "../../../contract/filter.ts";
import {
	type categories as categoriesPart,
	categoryName,
	noCategoryName,
	refuseCategory,
} from "../../../contract/operator/categories.ts";
import { readMembers } from "../../../http/body.ts";
import type { Route } from "../../../http/surface.ts";
import type { Categories, Category } from "../../../store/categories.ts";
import { toName } from "../keys.ts";
import type { Counts } from "../pets/counts.ts";

export function createCategoryHandlers(
	categories: Categories,
	{ countCategories }: Counts,
): Readonly<Record<keyof typeof categoriesPart.operations, Route["handle"]>> {
	return {
		async listCategories() {
			const listed = await categories.list();
			const { pets, isComplete } = await countCategories(
				listed.map(({ id }) => id),
			);
			const body = listed.map((category) =>
				toJson(category, isComplete ? pets.get(category.id) : undefined),
			);
			return { body: `{"categories":[${body.join(",")}]}` };
		},

		async setCategory({ request, segment }) {
			const id = toCategoryId(segment);
			const name = toName(await readMembers(request, categoryName));
			const outcome = await categories.set({ id, name });
			if (outcome !== "set") throw refuseCategory(outcome);
			return { body: toJson({ id, name }) };
		},

		async removeCategory({ segment }) {
			if (!(await categories.remove(toCategoryId(segment))))
				throw noCategoryName();
			return {};
		},
	};
}

function toCategoryId(segment: string): bigint {
	const id = filters.categoryId.read(segment);
	if (id === undefined) throw noCategoryName();
	return id;
}

/** The id can exceed a JavaScript number. */
export function toJson({ id, name }: Category, pets?: number): string {
	return `{"id":${id},${JSON.stringify({ name, pets }).slice(1)}`;
}
