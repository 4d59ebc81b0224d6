// The query parameters of a search for operators.
import type { PetFilter } from "../domain/filter.ts";
import { petStatuses } from "../domain/pet.ts";
import {
	oneOf,
	type Parameter,
	readParameter,
	text,
	wholeInt64,
} from "./parameter.ts";

export const filters = {
	status: oneOf({
		name: "status",
		description: "Filters by availability status.",
		values: petStatuses,
		schema: { $ref: "#/components/schemas/PetStatus" },
		example: "available",
	}),
	categoryId: wholeInt64("categoryId", "Finds the animals of this category."),
	name: text({
		name: "name",
		description:
			"Finds animals whose name contains this text. Case is ignored.",
	}),
	id: wholeInt64("id", "Finds the animal with this id."),
} as const satisfies {
	[Name in keyof PetFilter]-?: Parameter<PetFilter[Name]>;
};

export function readFilter(
	query: string,
	offered: readonly Parameter<unknown>[],
): Required<PetFilter> {
	const read = <Value>(filter: Parameter<Value>) =>
		offered.includes(filter) ? readParameter(query, filter) : undefined;
	return {
		status: read(filters.status),
		categoryId: read(filters.categoryId),
		name: read(filters.name),
		id: read(filters.id),
	};
}
