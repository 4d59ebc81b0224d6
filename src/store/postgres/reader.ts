// A PostgreSQL database for commands that only read. SELECT on the schema petstore is the only right that they need.
import type { Client } from "pg";
import type { StoreReader } from "../store.ts";
import { openArchiveReader } from "./archive/archive.ts";
import { readCatalogue } from "./catalogue.ts";
import { checkDatabase } from "./check.ts";
import { readOnly } from "./connection.ts";
import {
	migrationMs,
	orOperatorError,
	type Queryable,
	withAnswerTimeout,
} from "./database.ts";
import { describeDatabase } from "./description.ts";
import { openExports } from "./export.ts";
import { readImports } from "./import.ts";
import { listKeys } from "./keys.ts";
import { withStandIns } from "./older-schema.ts";
import { connectToOwnSession } from "./own-session.ts";
import { requireSchema } from "./schema.ts";
import { readUsage } from "./usage.ts";

export async function openPostgresReader(url: string): Promise<StoreReader> {
	const { client, db } = await orOperatorError(url, (name) => open(url, name));
	return {
		catalogue: readCatalogue(db),
		keys: { list: (page) => withAnswerTimeout(listKeys(db, page)) },
		usage: { read: (query) => withAnswerTimeout(readUsage(db, query)) },
		archive: openArchiveReader(url),
		check: () => checkDatabase(url),
		imports: readImports(url),
		exports: openExports(url),
		describe: () => withAnswerTimeout(describeDatabase(db)),
		close: () => client.end(),
	};
}

async function open(
	url: string,
	name: string,
): Promise<{ client: Client; db: Queryable }> {
	const client = await connectToOwnSession(url, {
		query_timeout: migrationMs,
	});
	try {
		await client.query(`SELECT ${readOnly}`);
		await requireSchema(client, name);
		return { client, db: await withStandIns(client) };
	} catch (error) {
		await client.end();
		throw error;
	}
}
