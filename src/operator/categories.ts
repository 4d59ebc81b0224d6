// The names of categories, for people. Animals may have any category, with a name or without.
import { Failure } from "../domain/errors.ts";
import { closedObject, list, object } from "../domain/object.ts";
import { toCountText } from "../domain/quantity.ts";
import { int64 } from "../domain/scalar.ts";
import { optional, withExample } from "../domain/type.ts";
import { requireFound } from "../interface/operation.ts";
import { maxCategories } from "../store/categories.ts";
import { nameOf } from "./keys.ts";
import { type OperatorResource, operation, sumOf } from "./operation.ts";

const name = nameOf("The name for people");

const params = {
	categoryId: withExample(int64("The category, as animals have it."), 1),
};

const Category = object("Category", "A category that has a name.", {
	id: int64("The id, as animals have it."),
	name,
	pets: optional(int64("How many animals have it. Only in a list.")),
});

const dogs = { id: 1, name: "Dogs" };

const listCategories = operation({
	method: "GET",
	path: "/categories",
	scope: "operator",
	summary: "List the names of categories",
	description:
		"In the order of their ids, each with its number of animals. An animal may have a category without a name.",
	reply: object("Categories", "Categories in the order of their ids.", {
		categories: list(Category, maxCategories),
	}),
	example: { reply: { categories: [{ ...dogs, pets: 1 }] } },
	async handle(_, { store }) {
		const named = await store.categories.list();
		const counts = Map.groupBy(
			await store.catalogue.readCounts(),
			({ categoryId }) => categoryId,
		);
		const toPets = (id: bigint) => BigInt(sumOf(counts.get(id) ?? []));
		return {
			categories: named.map((one) => ({ ...one, pets: toPets(one.id) })),
		};
	},
});

const setCategory = operation({
	method: "PUT",
	path: "/categories/{categoryId}",
	scope: "operator",
	summary: "Name a category",
	description:
		"Its animals do not change. Clients of the catalogue do not see the name.",
	params,
	body: closedObject("CategoryName", "The name of a category.", { name }),
	reply: Category,
	errors: ["conflict"],
	example: { body: { name: dogs.name }, reply: dogs },
	async handle({ categoryId: id, name }, { store }) {
		const outcome = await store.categories.set({ id, name });
		if (outcome !== "set") throw new Failure("conflict", refusals[outcome]);
		return { id, name, pets: undefined };
	},
});

const refusals = {
	taken: "Another category has this name; case is ignored.",
	full: `At most ${toCountText(maxCategories)} categories can have a name; remove another name first.`,
};

const removeCategory = operation({
	method: "DELETE",
	path: "/categories/{categoryId}",
	scope: "operator",
	summary: "Remove the name of a category",
	description: "Its animals do not change.",
	params,
	errors: ["not_found"],
	async handle({ categoryId }, { store }) {
		const isRemoved = await store.categories.remove(categoryId);
		requireFound(isRemoved || undefined, "The category has no name.");
	},
});

export const categories: OperatorResource = {
	tag: "categories",
	description: "Names for categories.",
	operations: { listCategories, setCategory, removeCategory },
};
