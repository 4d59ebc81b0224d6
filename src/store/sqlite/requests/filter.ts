// A filter in the SQL of SQLite, for queries of several animals. A condition on the id follows it.
import type { Database } from "bun:sqlite";
import type { IndexedFilter } from "../../../contract/filter.ts";
import type { Only } from "../../../domain/members.ts";
import type { PetStatus } from "../../../domain/pet.ts";
import { toIndexHint } from "../schema.ts";

/** `FROM` and the beginning of `WHERE`. */
export function toFrom(
	db: Database,
	{ status }: Only<IndexedFilter, "status">,
): string {
	return status === undefined
		? "FROM pets WHERE"
		: `FROM pets ${toIndexHint(db, status)} WHERE status = '${status}' AND`;
}

/** Prepares the queries of every filter, and returns a function that finds those of one filter. */
export function prepareFiltered<Queries>(
	db: Database,
	prepare: (from: string) => Queries,
): (filter: IndexedFilter) => Queries {
	const prepareFor = (status?: PetStatus) => prepare(toFrom(db, { status }));
	const prepared = {
		all: prepareFor(),
		available: prepareFor("available"),
		pending: prepareFor("pending"),
		sold: prepareFor("sold"),
	};
	return ({ status }) => prepared[status ?? "all"];
}
