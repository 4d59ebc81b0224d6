// Runs the SQL of both engines on SQLite.
import type { Database } from "bun:sqlite";
import type { EngineRow, Sql, SqlRequests } from "../archive/tables.ts";
import { retryWhileBusy } from "./database.ts";

/** SQLite has no schema `petstore`, and writes `?1` for `$1`. */
export function toSql(
	db: Database,
): (...statement: Parameters<Sql>) => readonly EngineRow[] {
	return (text, values = []) =>
		db
			.query<EngineRow, (typeof values)[number][]>(
				text.replaceAll("petstore.", "").replace(/\$(\d)/g, "?$1"),
			)
			.all(...values);
}

export function toReads(db: Database): SqlRequests["read"] {
	const sql = toSql(db);
	return (...statement) => retryWhileBusy(() => sql(...statement));
}
