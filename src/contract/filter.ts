// Which animals a list has. A cursor and the key of a cached page take the filter as text from here, so that a filter that is
// added later cannot be forgotten in either.
import type { PetStatus } from "./pet.ts";

export interface Filter {
	readonly status: PetStatus | undefined;
}

/** The same text for the same filter, and another for any other. */
export function filterToText({ status }: Only<Filter, "status">): string {
	return status ?? "";
}

/** The type, as long as it has no other members than these; else `never`, so that a forgotten member is a type error. */
export type Only<Type, Members extends keyof Type> =
	Exclude<keyof Type, Members> extends never ? Type : never;
