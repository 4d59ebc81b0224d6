// Makes our tables in the schema petstore of PostgreSQL, and refuses those of another version.
import type { ClientBase } from "pg";
import { OperatorError } from "../../domain/errors.ts";
import type { Access } from "../database/engine.ts";
import {
	refuseEarlier,
	schemaSteps,
	toFirstRows,
	toMissing,
} from "../database/schema.ts";
import { schemaMark } from "../database/tables.ts";

/** Runs all missing steps in one transaction, which rolls back when the connection ends. A database with the newest schema is only read. */
export async function prepareSchema(
	client: ClientBase,
	name: string,
	access: Access,
	steps = schemaSteps,
): Promise<void> {
	await requireServer(client, name);
	const found = await readVersion(client, name);
	if (toMissing(steps, found, name, access).length === 0) return;
	await client.query("BEGIN");
	// Of several copies that start at the same time, one runs the steps and the others wait here.
	await client.query(`SELECT pg_advisory_xact_lock(${schemaMark})`);
	const version = await readVersion(client, name);
	const missing = toMissing(steps, version, name, access);
	if (version === 0) await createSchema(client, name);
	for (const step of missing) await client.query(toPostgresText(step));
	if (version === 0) await client.query(toFirstRows());
	await client.query("UPDATE schema_mark SET version = $1", [steps.length + 1]);
	await client.query("COMMIT");
}

export function toPostgresText(step: string): string {
	return step
		.replace(/\bINTEGER\b/g, "int8")
		.replace(/ STRICT(, WITHOUT ROWID)?/g, "");
}

async function createSchema(client: ClientBase, name: string): Promise<void> {
	// Looked up first, since IF NOT EXISTS needs the right to create it even if it exists.
	const { rowCount } = await client.query(
		"SELECT FROM pg_namespace WHERE nspname = 'petstore'",
	);
	if (rowCount === 0) await client.query("CREATE SCHEMA petstore");
	const { rows } = await client.query<{ mayCreate: boolean }>(
		`SELECT has_schema_privilege('petstore', 'CREATE') AND has_schema_privilege('petstore', 'USAGE') AS "mayCreate"`,
	);
	if (!rows[0]?.mayCreate)
		throw new OperatorError(
			`${name} has a schema petstore in which this role may not create tables; make the role its owner.`,
		);
	await client.query(
		`CREATE TABLE schema_mark (mark int4 NOT NULL, version int4 NOT NULL);
		INSERT INTO schema_mark VALUES (${schemaMark}, 0);`,
	);
}

async function requireServer(client: ClientBase, name: string): Promise<void> {
	const { rows } = await client.query<{ version: string; encoding: string }>(
		`SELECT current_setting('server_version_num') AS version,
			current_setting('server_encoding') AS encoding`,
	);
	const [{ version, encoding } = { version: "0", encoding: "" }] = rows;
	if (Number(version) < 140_000)
		throw new OperatorError(
			`${name} runs a PostgreSQL before version 14; use 14 or later.`,
		);
	if (encoding !== "UTF8")
		throw new OperatorError(
			`${name} is encoded in ${encoding} and cannot keep every name; create it with ENCODING 'UTF8'.`,
		);
}

/** 0 without tables. Throws if another version or program has made the tables. */
async function readVersion(client: ClientBase, name: string): Promise<number> {
	const tables = await client.query<{ name: string }>(
		"SELECT tablename AS name FROM pg_tables WHERE schemaname = 'petstore'",
	);
	if (tables.rowCount === 0) return 0;
	if (!tables.rows.some(({ name }) => name === "schema_mark"))
		throw refuseEarlier(name);
	const { rows } = await client.query<{ mark: number; version: number }>(
		"SELECT mark, version FROM schema_mark",
	);
	const [{ mark, version } = { mark: 0, version: 0 }] = rows;
	if (mark !== schemaMark) throw refuseEarlier(name);
	return version;
}
