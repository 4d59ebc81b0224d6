// Lets commands read a database of an older schema with only the right to SELECT: in their queries, subqueries replace the tables that the
// database lacks.
import type { ClientBase } from "pg";
import { toStandIns } from "../../archive/older-schema.ts";
import { type Queryable, query } from "../database.ts";
import { migrations, readVersion } from "../schema.ts";

/** Begins a transaction in which all queries see one snapshot, and returns the object that answers them. */
export async function beginSnapshot(client: ClientBase): Promise<Queryable> {
	await query(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	return withStandIns(client);
}

/** Answers queries that are written for the newest schema. */
export async function withStandIns(client: ClientBase): Promise<Queryable> {
	const version = await readVersion(client);
	const found = toStandIns(migrations.length - version);
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
