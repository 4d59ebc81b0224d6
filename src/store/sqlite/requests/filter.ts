// A filter in the SQL of SQLite, for queries of several animals. A condition on the id follows it.
import type { IndexedFilter } from "../../../domain/filter.ts";
import type { Only, PetStatus } from "../../../domain/pet.ts";

/** `FROM` and the beginning of `WHERE`. The hint keeps SQLite from scanning the whole table for a status. */
export function toFrom({ status }: Only<IndexedFilter, "status">): string {
	return status === undefined
		? "FROM pets WHERE"
		: `FROM pets INDEXED BY pets_${status} WHERE status = '${status}' AND`;
}

/** Prepares the queries of every filter, and returns a function that finds those of one filter. */
export function prepareFiltered<Queries>(
	prepare: (from: string) => Queries,
): (filter: IndexedFilter) => Queries {
	const prepareFor = (status?: PetStatus) => prepare(toFrom({ status }));
	const prepared = {
		all: prepareFor(),
		available: prepareFor("available"),
		pending: prepareFor("pending"),
		sold: prepareFor("sold"),
	};
	return ({ status }) => prepared[status ?? "all"];
}
