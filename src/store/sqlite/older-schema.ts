// Lets commands read a file of an older schema like one of the newest, without a change in it: temporary views of the connection stand for
// what the file does not have yet.
import type { Database } from "bun:sqlite";
import { toStandIns } from "../older-schema.ts";
import { migrations } from "./schema.ts";

/** A view hides the table of the same name. Must be called before the connection may only read. */
export function addViews(db: Database, version: number): void {
	const standIns = toStandIns(migrations.length - version);
	for (const [name, sql] of standIns)
		db.run(
			`CREATE TEMP VIEW ${name} AS ${sql.replaceAll("petstore.", "main.")}`,
		);
}

/** The first schema with the feed of changes. */
export const feedSchema = 4;
