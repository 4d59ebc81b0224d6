// The filter of animals for lists, searches, exports and counts. An operation offers some of its parameters.
import { toComparable } from "../domain/comparable.ts";
import type { Only } from "../domain/members.ts";
import {
	defaultPetStatus,
	type Pet,
	type PetStatus,
	petStatuses,
} from "../domain/pet.ts";
import {
	oneOf,
	type Parameter,
	readParameter,
	text,
	wholeInt64,
} from "./parameter.ts";

export interface PetFilter {
	readonly status?: PetStatus | undefined;
	readonly categoryId?: bigint | undefined;
	/** A part of the name, ignoring case. */
	readonly name?: string | undefined;
	readonly id?: bigint | undefined;
}

/** The part that the databases apply, by an index. Without an index they could scan any number of animals to find one. */
export type IndexedFilter = Pick<PetFilter, "status">;

export function toIndexed({ status }: PetFilter): Required<IndexedFilter> {
	return { status };
}

export const filters = {
	status: oneOf({
		name: "status",
		description: "Filters by availability status.",
		values: petStatuses,
		schema: { $ref: "#/components/schemas/PetStatus" },
		example: defaultPetStatus,
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

/** A text that differs for different filters, for cursors and the keys of cached pages. */
export function filterToText({
	status,
	categoryId,
	name,
	id,
}: Only<PetFilter, "status" | "categoryId" | "name" | "id">): string {
	const category = categoryId === undefined ? "" : ` categoryId=${categoryId}`;
	const exact = id === undefined ? "" : ` id=${id}`;
	// Last, since a name may be any text.
	const part = name === undefined ? "" : ` name=${name}`;
	return `${status ?? ""}${category}${exact}${part}`;
}

/** Tests an animal for the part that the databases do not apply; undefined if nothing is left. */
export function toPetTest({
	categoryId,
	name = "",
	id,
}: Only<PetFilter, keyof IndexedFilter | "categoryId" | "name" | "id">):
	| ((pet: Pet) => boolean)
	| undefined {
	if (categoryId === undefined && name === "" && id === undefined)
		return undefined;
	const part = toComparable(name);
	return (pet) =>
		(categoryId === undefined || pet.categoryId === categoryId) &&
		(id === undefined || pet.id === id) &&
		(part === "" || toComparable(pet.name).includes(part));
}
