// A page of animals, and examples of an animal.
import { maxPageSize } from "../domain/cursor.ts";
import { list } from "../domain/object.ts";
import { petType } from "../domain/pet-types.ts";
import { withTitle } from "../domain/type.ts";

export const Pets = withTitle(
	list(petType, maxPageSize),
	"Pets",
	"Animals, newest first.",
);

/** Examples. */
export const rex = { name: "Rex", categoryId: 1 };
export const addedRex = { id: 1, ...rex, status: "available" };
export const addedTom = {
	id: 2,
	name: "Tom",
	categoryId: 2,
	status: "pending",
};
