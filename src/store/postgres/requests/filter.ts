// A filter in the SQL of PostgreSQL, for the queries of several animals. Their own values are an id ($1) and a limit ($2).
import type { QueryResultRow } from "pg";
import type { IndexedFilter } from "../../../domain/filter.ts";
import type { Only } from "../../../domain/pet.ts";
import { type Queryable, query } from "../database.ts";

/** One statement with each condition. `toText` gets the beginning of `WHERE`. */
export function toFilteredQuery<Row extends QueryResultRow>(
	name: string,
	toText: (where: string) => string,
) {
	const ofAll = { name, text: toText("WHERE") };
	const ofStatus = {
		name: `${name}ByStatus`,
		text: toText("WHERE status = $3 AND"),
	};
	return (
		db: Queryable,
		values: readonly [id: bigint, limit: number],
		{ status }: Only<IndexedFilter, "status">,
	): Promise<Row[]> =>
		status === undefined
			? query<Row>(db, ofAll, [...values])
			: query<Row>(db, ofStatus, [...values, status]);
}
