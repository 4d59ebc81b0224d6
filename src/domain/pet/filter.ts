// The filter of animals for lists, searches, exports and counts. An operation offers some of its parameters.

import { int64, partOfText } from "../types/scalar.ts";
import { optional, withDescription, withExample } from "../types/type.ts";
import { maxNameLength, type Only, type PetStatus, petFields } from "./pet.ts";

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

/** The query parameters. The members of a filter have their names. */
export const filters = {
	status: optional(
		withExample(
			withDescription(petFields.status.type, "Filters by availability status."),
			petFields.status.fallback,
		),
	),
	categoryId: optional(int64("Finds the animals of this category.")),
	name: optional(
		partOfText(
			"Finds animals whose name contains this text. Case is ignored.",
			maxNameLength,
		),
	),
	id: optional(int64("Finds the animal with this id.")),
};

/** A text that differs for different filters, for cursors and the keys of cached pages. */
export function filterToText({
	status,
	categoryId,
	name,
	id,
}: Only<PetFilter, "status" | "categoryId" | "name" | "id">): string {
	// The name is the last, since it may be any text.
	return [status, categoryId, id, name].join(" ");
}
