// Which animals: one filter for lists, searches, exports and counts. An operation offers some of its parameters.
import type { Only } from "../domain/only.ts";
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
	/** A part of the name; upper and lower case do not matter. */
	readonly name?: string | undefined;
}

/** What the databases compare, each by an index. For the rest they would look at any number of animals to find one. */
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
	categoryId: wholeInt64({
		name: "categoryId",
		description: "Finds the animals of this category.",
	}),
	name: text({
		name: "name",
		description:
			"Finds animals whose name contains this text. Upper and lower case do not matter.",
	}),
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
	};
}

/** The same text for the same filter, and another for any other. A cursor and the key of a cached page have it. */
export function filterToText({
	status,
	categoryId,
	name,
}: Only<PetFilter, "status" | "categoryId" | "name">): string {
	const category = categoryId === undefined ? "" : ` categoryId=${categoryId}`;
	const part = name === undefined ? "" : ` name=${name}`;
	return `${status ?? ""}${category}${part}`;
}

/** Whether an animal fits what the databases do not compare; undefined if that is nothing. */
export function toPetTest({
	categoryId,
	name = "",
}: Only<PetFilter, keyof IndexedFilter | "categoryId" | "name">):
	| ((pet: Pet) => boolean)
	| undefined {
	if (categoryId === undefined && name === "") return undefined;
	const part = toComparable(name);
	return (pet) =>
		(categoryId === undefined || pet.categoryId === categoryId) &&
		(part === "" || toComparable(pet.name).includes(part));
}

/** In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the same letter. */
function toComparable(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
