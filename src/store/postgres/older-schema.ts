// Lets commands read a database of an older schema like one of the newest, with the right to SELECT alone: in their queries, subqueries stand
// for what the database does not have yet.
import type { ClientBase } from "pg";
import { type StandIns, toStandIns } from "../older-schema.ts";
import { durationColumns } from "../usage-rows.ts";
import { type Queryable, query } from "./database.ts";
import { readVersion } from "./schema.ts";

/** Begins a transaction in which all queries see the same moment, and returns what answers them. */
export async function beginSnapshot(client: ClientBase): Promise<Queryable> {
	await query(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	return withStandIns(client);
}

/** Answers queries that are written for the newest schema. */
export async function withStandIns(client: ClientBase): Promise<Queryable> {
	const version = await readVersion(client);
	const found = toStandIns(standIns, version);
	function toText(name: string, table: string): string {
		const sql = found.get(table);
		return sql === undefined ? name : `(${sql}) AS ${table}`;
	}
	return {
		query: ({ text, ...statement }) =>
			client.query({
				...statement,
				text: text.replace(/\bpetstore\.(\w+)/g, toText),
			}),
	};
}

export const standIns: StandIns = [
	{},
	{
		key_secrets:
			"SELECT hash, id AS key_id, NULL::int8 AS expires_at FROM petstore.keys",
		sessions: `SELECT '' AS hash, NULL AS secret_hash, 0::int8 AS created_at, 0::int8 AS last_used_at WHERE false`,
		usage: `SELECT '' AS period, 0::int8 AS starts_at, '' AS key, '' AS operation, 0 AS status, 0::int8 AS requests,
			${durationColumns.map((column) => `0::int8 AS ${column}`).join(", ")} WHERE false`,
	},
	{
		pets: "SELECT id, name, category_id, status, NULL::int8 AS version, NULL::int8 AS added_at, NULL::int8 AS added_by FROM petstore.pets",
		changes:
			"SELECT 0::int8 AS position, 0::int8 AS pet_id, '' AS kind WHERE false",
		imports:
			"SELECT '' AS id, 0::int8 AS animals, 0::int8 AS finished_at WHERE false",
		catalogue: "SELECT NULL AS id, '0' AS feed_base",
	},
	{
		catalogue: "SELECT NULL AS id, base::text AS feed_base FROM petstore.feed",
	},
	{
		pets: `SELECT pets.id, name, category_id, status, position AS version, NULL::int8 AS added_at, NULL::int8 AS added_by
			FROM petstore.pets LEFT JOIN petstore.changes ON pet_id = pets.id`,
	},
];
