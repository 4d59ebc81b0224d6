// A PostgreSQL database for commands that only read. SELECT on the schema petstore is the only right that they need.
import type { Client } from "pg";
import { migrationMs } from "../../limits.ts";
import type { StoreReader } from "../store.ts";
import { readArchive } from "./archive/archive.ts";
import { readCatalogue } from "./catalogue.ts";
import { checkDatabase } from "./check.ts";
import { connect, readOnly, toConfig } from "./connection.ts";
import { orOperatorError, withAnswerTimeout } from "./database.ts";
import { describeDatabase } from "./description.ts";
import { openExports } from "./export.ts";
import { readImports } from "./import.ts";
import { listKeys } from "./keys.ts";
import { requireNewest } from "./schema.ts";
import { readUsage } from "./usage.ts";

export async function openPostgresReader(url: string): Promise<StoreReader> {
	const client = await orOperatorError(url, (name) => connectToRead(url, name));
	return {
		catalogue: readCatalogue(client),
		keys: { list: () => withAnswerTimeout(listKeys(client)) },
		usage: { read: (query) => withAnswerTimeout(readUsage(client, query)) },
		archive: readArchive(url),
		check: () => checkDatabase(url),
		imports: readImports(url),
		exports: openExports(url),
		describe: () => withAnswerTimeout(describeDatabase(client)),
		close: () => client.end(),
	};
}

async function connectToRead(url: string, name: string): Promise<Client> {
	const client = await connect({
		...toConfig(url),
		query_timeout: migrationMs,
	});
	try {
		await client.query(`SELECT ${readOnly}`);
		await requireNewest(client, name);
		return client;
	} catch (error) {
		await client.end();
		throw error;
	}
}
