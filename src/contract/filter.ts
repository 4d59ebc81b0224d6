// Which animals a list has. A cursor and the key of a cached page take the filter as text from here, so that a filter that is
// added later cannot be forgotten in either.
import type { Only } from "./only.ts";
import type { PetStatus } from "./pet.ts";

export interface Filter {
	readonly status: PetStatus | undefined;
}

/** The same text for the same filter, and another for any other. */
export function filterToText({ status }: Only<Filter, "status">): string {
	return status ?? "";
}
