// A PostgreSQL database for commands that only read. SELECT on the schema petstore is the only right that they need.
import { openSharedReads, type StoreReader } from "../store.ts";
import { openArchiveReader } from "./archive/archive.ts";
import { checkDatabase } from "./archive/check.ts";
import { openExports } from "./archive/export.ts";
import { connectFirst, readOnly } from "./connection.ts";
import {
	orOperatorError,
	withAnswerTimeout,
	withTimeouts,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { readCatalogue } from "./requests/catalogue.ts";
import { requireSchema } from "./schema.ts";

export async function openPostgresReader(url: string): Promise<StoreReader> {
	const client = await orOperatorError(url, (name) => open(url, name));
	return {
		...openSharedReads(withTimeouts(client)),
		catalogue: readCatalogue(client),
		archive: openArchiveReader(url),
		check: () => checkDatabase(url),
		exports: openExports(url),
		describe: () => withAnswerTimeout(describeDatabase(client)),
		close: () => client.end(),
	};
}

async function open(url: string, name: string) {
	const client = await connectFirst(url);
	try {
		await client.query(`SELECT ${readOnly}`);
		await requireSchema(client, name);
		return client;
	} catch (error) {
		await client.end();
		throw error;
	}
}
