// Runs the SQL of both engines on SQLite.
import type { Database } from "bun:sqlite";
import type { EngineRow, Sql, SqlRequests } from "../archive/tables.ts";
import { retryWhileBusy } from "./database.ts";

/** Statements are not kept: some have a new text each time. */
export function toSql(
	db: Database,
): (...statement: Parameters<Sql>) => readonly EngineRow[] {
	return (text, values = []) => {
		using statement = db.prepare<EngineRow, (typeof values)[number][]>(
			toSqliteText(text),
		);
		return statement.all(...values);
	};
}

/** SQLite has no schema `petstore`, and writes `?1` for `$1`. */
export function toSqliteText(text: string): string {
	return text.replaceAll("petstore.", "").replace(/\$(\d)/g, "?$1");
}

export function toReads(db: Database): SqlRequests["read"] {
	const sql = toSql(db);
	return (...statement) => retryWhileBusy(() => sql(...statement));
}
