// The names of categories in the operator interface.
import { Failure, failing } from "../../domain/errors.ts";
import { keyNameRule } from "../../domain/key-scope.ts";
import { toCountText } from "../../domain/quantity.ts";
import { httpStatus, operationsOf, type Part } from "../operation.ts";
import { closedObject, int64, list, object, whole64 } from "../schemas.ts";
import { keySchemas } from "./keys.ts";

/** Enough for a shop, and few enough for one reply. */
export const maxCategories = 10_000;

export const noCategoryName = failing("not_found", "The category has no name.");

export function refuseCategory(reason: "taken" | "full"): Failure {
	return new Failure(
		"conflict",
		reason === "taken"
			? "Another category has this name; case is ignored."
			: `At most ${toCountText(maxCategories)} categories can have a name; remove another name first.`,
	);
}

const dogs = { id: 1, name: "Dogs" };

const name = {
	...keySchemas.KeyName.properties.name,
	description: `The name for people: it ${keyNameRule}.`,
};

export const categoryName = closedObject("The name of a category.", { name });

const operation = operationsOf({
	tag: "categories",
	scope: "operator",
	pathParameters: {
		categoryId: {
			description: "The category, as animals have it.",
			schema: int64,
			example: 1,
		},
	},
});

export const categories = {
	tags: { categories: "Names for categories." },
	operations: {
		listCategories: operation({
			path: "/categories",
			summary: "List the names of categories",
			description:
				"In the order of their ids, each with its number of animals. An animal may have a category without a name.",
			success: {
				description: "The categories that have a name.",
				body: "Categories",
				example: { categories: [{ ...dogs, pets: 1 }] },
			},
		}),
		setCategory: operation({
			method: "PUT",
			path: "/categories/{categoryId}",
			summary: "Name a category",
			description:
				"Its animals do not change. Clients of the catalogue do not see the name.",
			body: "CategoryName",
			example: { name: dogs.name },
			success: {
				description: "The category with its name.",
				body: "Category",
				example: dogs,
			},
			errors: ["invalid_parameter", "conflict"],
		}),
		removeCategory: operation({
			method: "DELETE",
			path: "/categories/{categoryId}",
			summary: "Remove the name of a category",
			description: "Its animals do not change.",
			success: {
				status: httpStatus.noContent,
				description: "The name was removed.",
			},
			errors: ["invalid_parameter", "not_found"],
		}),
	},
	schemas: {
		Category: object(
			"A category that has a name.",
			{ id: whole64("The id, as animals have it."), name },
			{
				pets: whole64(
					"How many animals have it. Only in a list, and absent if they could not be counted in time.",
				),
			},
		),
		Categories: object("Categories in the order of their ids.", {
			categories: list("Category", maxCategories),
		}),
		CategoryName: categoryName,
	},
} satisfies Part;
