// Checks a SQLite database: its pages, indexes, constraints and rows. It only reads.
import { type Database, SQLiteError } from "bun:sqlite";
import { type Checked, checkRows } from "../../archive/check.ts";
import { readLastId } from "../feed/epoch.ts";
import { toSql } from "../sql.ts";

export async function checkDatabase(db: Database): Promise<Checked> {
	const findings: string[] = [];
	let animals = 0;
	try {
		// Without CHECK constraints if the connection is read-only: SQLite does not load them.
		for (const [line] of db.query("PRAGMA integrity_check").values())
			if (line !== "ok") findings.push(`integrity: ${line}.`);
		// In one transaction, since a service may write.
		db.run("BEGIN");
		try {
			const lastId = readLastId(db);
			animals = await checkRows(toSql(db), lastId, "count(*)", findings);
		} finally {
			db.run("ROLLBACK");
		}
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		findings.push(`The file cannot be read: ${error.message}.`);
	}
	return { animals, findings };
}
