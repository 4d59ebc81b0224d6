// The list of tables that backup, restore and check follow matches new databases.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { Client } from "pg";
import {
	tableNames,
	tables,
	toSqlName,
} from "../../src/store/archive/tables.ts";
import { openStore } from "../../src/store/open.ts";
import { engines, isFile, newDatabase, toPath } from "./engines.ts";

test.each(engines)(
	"%s: lists every table and column of a new database",
	async (engine) => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		await store.close();
		const columns = isFile(url)
			? readColumns(toPath(url))
			: await readPostgresColumns(url);
		const listed = tableNames.flatMap((name) =>
			Object.keys(tables[name].columns).map(
				(column) => `${toSqlName(name)}.${toSqlName(column)}`,
			),
		);
		expect(
			columns.filter((column) => !unlisted.includes(column)).sort(),
		).toEqual(listed.sort());
		await remove();
	},
);

/** What belongs to one database alone, and no other database may get. */
const unlisted = [
	...["catalogue.one", "catalogue.made_at", "catalogue.backed_up_at"],
	...["catalogue.backup_failures", "catalogue.backup_failure"],
	...["catalogue.backup_holder", "catalogue.backup_until"],
	...["schema_mark.mark", "schema_mark.version"],
];

function readColumns(path: string): string[] {
	const db = new Database(path, { readonly: true });
	const rows = db
		.query<{ name: string }, []>(
			`SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
			WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'`,
		)
		.all();
	db.close();
	return rows.map(({ name }) => name);
}

async function readPostgresColumns(url: string): Promise<string[]> {
	const client = new Client(url);
	await client.connect();
	const { rows } = await client.query<{ name: string }>(
		`SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'petstore'`,
	);
	await client.end();
	return rows.map(({ name }) => name);
}
