// Categories, with their names for people. Animals may have any category, with a name or without.
import { next, pageOf } from "../domain/pet/cursor.ts";
import { minInt64 } from "../domain/types/json.ts";
import { closedObject, list, object } from "../domain/types/object.ts";
import { int64 } from "../domain/types/scalar.ts";
import { withExample } from "../domain/types/type.ts";
import { requireFound } from "../interface/operation.ts";
import { Category, categoryName } from "../interface/replies.ts";
import { type OperatorResource, operation } from "./operation.ts";

/** Few pages, even for a shop with many categories. */
const maxListed = 1_000;

const params = {
	categoryId: withExample(int64("The category, as animals have it."), 1),
};

const nameless = "The category has no name.";

const body = closedObject("CategoryName", "The name of a category.", {
	name: categoryName,
});

const listCategories = operation({
	method: "GET",
	path: "/categories",
	summary: "List the categories",
	description:
		"All that have a name or animals, in the order of their ids. While the reply has a `next`, more follow.",
	query: pageOf("categories", maxListed, minInt64),
	reply: object("Categories", "Categories in the order of their ids.", {
		categories: list(Category, maxListed),
		next,
	}),
	async handle({ limit, cursor: from = minInt64 }, { store }) {
		const found = await store.categories.list(from, limit + 1);
		return { categories: found.slice(0, limit), next: found[limit]?.id };
	},
});

const createCategory = operation({
	method: "POST",
	path: "/categories",
	summary: "Make a category",
	description:
		"It gets an id from 1 that has neither a name nor animals: the lowest one, if the ids in use follow each other from 1.",
	body,
	reply: Category,
	status: 201,
	errors: ["conflict"],
	handle: ({ name }, { store }) => store.categories.add(name),
});

const setCategory = operation({
	method: "PUT",
	path: "/categories/{categoryId}",
	summary: "Name a category",
	description:
		"Its animals do not change. Clients of the catalogue do not see the name.",
	params,
	body,
	reply: Category,
	errors: ["conflict"],
	handle: ({ categoryId, name }, { store }) =>
		store.categories.set(categoryId, name),
});

const removeCategory = operation({
	method: "DELETE",
	path: "/categories/{categoryId}",
	summary: "Remove the name of a category",
	description: "Its animals do not change.",
	params,
	errors: ["not_found"],
	async question({ categoryId }, { store }) {
		const [found] = await store.categories.list(categoryId, 1);
		const own = found?.id === categoryId ? found.name : undefined;
		return `Remove the name “${requireFound(own, nameless)}” of category ${categoryId}?`;
	},
	async handle({ categoryId }, { store }) {
		const isRemoved = await store.categories.remove(categoryId);
		requireFound(isRemoved || undefined, nameless);
	},
});

export const categories: OperatorResource = {
	tag: "categories",
	description: "The categories, and their names for people.",
	operations: { listCategories, createCategory, setCategory, removeCategory },
};
