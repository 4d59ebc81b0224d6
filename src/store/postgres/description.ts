// Describes a PostgreSQL database: its version, schema and size.
import type { StoreDescription } from "../store.ts";
import { type Queryable, query, toStatements } from "./database.ts";

export async function describeDatabase(
	db: Queryable,
): Promise<StoreDescription> {
	const [row] = await query<{ version: string; schema: number; bytes: string }>(
		db,
		statements.describe,
	);
	const { version = "", schema = 0, bytes = 0 } = row ?? {};
	return {
		engine: "postgres",
		engineVersion: version,
		schema,
		databaseBytes: Number(bytes),
	};
}

const statements = toStatements({
	// Some servers add the name of their packager to the version.
	describe: `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
		(SELECT version FROM petstore.schema_mark) AS schema,
		(SELECT sum(pg_total_relation_size(oid)) FROM pg_class
			WHERE relnamespace = 'petstore'::regnamespace AND relkind = 'r') AS bytes`,
});
