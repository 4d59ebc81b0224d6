// Describes a SQLite database: version, schema and size.
import type { Database } from "bun:sqlite";
import type { StoreDescription } from "../store.ts";
import { memory, readWalBytes } from "./files/file.ts";
import { readSqliteVersion } from "./files/library.ts";
import { readPragma } from "./schema.ts";

export function describeDatabase(db: Database, path: string): StoreDescription {
	return {
		engine: "sqlite",
		engineVersion: readSqliteVersion(db),
		schema: readPragma(db, "user_version"),
		databaseBytes: readPragma(db, "page_count") * readPragma(db, "page_size"),
		...(path !== memory && { walBytes: readWalBytes(path) }),
	};
}
