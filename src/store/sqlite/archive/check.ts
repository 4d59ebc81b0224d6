// Checks a SQLite database: its pages, indexes and rows. It only reads.
import { type Database, SQLiteError } from "bun:sqlite";
import { isUtf8 } from "node:buffer";
import { setImmediate as nextIteration } from "node:timers/promises";
import { maxInt64, minInt64 } from "../../../domain/json.ts";
import {
	type Checked,
	checkIndex,
	checkRows,
	createFindings,
	type Findings,
} from "../../archive/check.ts";
import { readPets } from "../../archive/read.ts";
import { readLastId } from "../feed/epoch.ts";
import { toSource } from "./export.ts";

export async function checkDatabase(db: Database): Promise<Checked> {
	const findings = createFindings();
	try {
		checkPages(db, findings);
		checkIndexes(db, findings);
		checkCounters(db, findings);
		checkTexts(db, findings);
		for await (const { rows } of readPets(toSource(db), minInt64)) {
			for (const pet of rows) {
				findings.checkPet(pet);
				if (pet.name.includes("\ufffd")) checkName(db, pet.id, findings);
			}
			await nextIteration();
		}
		await checkAllRows(db, findings);
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		findings.add(`The file cannot be read: ${error.message}.`);
	}
	return findings.toChecked();
}

/** The structure of the file, and whether each row of a table is in its indexes. */
function checkPages(db: Database, findings: Findings): void {
	for (const [line] of db.query("PRAGMA integrity_check").values())
		if (line !== "ok") findings.add(`integrity: ${line}.`);
	for (const [table, row] of db.query("PRAGMA foreign_key_check").values())
		findings.add(`${table}, row ${row}: it refers to a missing row.`);
}

/** Finds index rows without a table row: SQLite's own check does not count the rows of a partial index. */
function checkIndexes(db: Database, findings: Findings): void {
	const indexes = db
		.query<{ name: string; of: string; sql: string | null }, []>(
			`SELECT name, tbl_name AS "of", sql FROM sqlite_schema WHERE type = 'index' ORDER BY name`,
		)
		.all();
	for (const { name, of, sql } of indexes) {
		const [condition = ""] = /\bWHERE\b.*$/is.exec(sql ?? "") ?? [];
		// One query, so that both numbers are of one moment.
		const [[byIndex, byTable] = []] = db
			.query(
				`SELECT (SELECT count(*) FROM main."${of}" INDEXED BY "${name}" ${condition}),
					(SELECT count(*) FROM main."${of}" NOT INDEXED ${condition})`,
			)
			.values();
		checkIndex(name, [`${byIndex}`], [`${byTable}`], findings);
	}
}

/** SQLite's table of counters has no column types. */
function checkCounters(db: Database, findings: Findings): void {
	const rows = db
		.query<{ name: string; found: string }, []>(
			`SELECT name, group_concat(quote(seq), ' and ') AS found FROM sqlite_sequence
			GROUP BY name HAVING count(*) > 1 OR max(typeof(seq) <> 'integer' OR seq < 0)`,
		)
		.all();
	for (const { name, found } of rows)
		findings.add(
			`counter of ${name}: expected one whole number, found ${found}.`,
		);
}

/** Finds texts that PostgreSQL cannot store. Plain ASCII is fine. */
function checkTexts(db: Database, findings: Findings): void {
	const columns = db
		.query<{ table: string; column: string }, []>(
			`SELECT tables.name AS "table", columns.name AS "column"
			FROM sqlite_schema AS tables, pragma_table_info(tables.name, 'main') AS columns
			WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
		)
		.all();
	for (const { table, column } of columns) {
		// The names of animals are checked with the animals.
		if (table === "pets" && column === "name") continue;
		const texts = db
			.query<{ bytes: Uint8Array }, []>(
				`SELECT CAST("${column}" AS BLOB) AS bytes FROM main."${table}"
				WHERE instr(bytes, x'00') OR "${column}" GLOB '*[^' || char(1) || '-' || char(127) || ']*'`,
			)
			.iterate();
		for (const { bytes } of texts)
			if (bytes.includes(0))
				findings.add(
					`${table}: ${column} must not contain the character U+0000.`,
				);
			else if (!isUtf8(bytes))
				findings.add(`${table}: ${column} is not UTF-8.`);
	}
}

/** SQLite gives U+FFFD for bytes that are not UTF-8. */
function checkName(db: Database, id: bigint, findings: Findings): void {
	const row = db
		.query<{ bytes: Uint8Array }, [bigint]>(
			"SELECT CAST(name AS BLOB) AS bytes FROM pets WHERE id = ?",
		)
		.get(id);
	if (row !== null && !isUtf8(row.bytes))
		findings.add(`animal ${id}: name is not UTF-8.`);
}

/** Compares rows with each other, in one transaction, since a service may write. */
async function checkAllRows(db: Database, findings: Findings): Promise<void> {
	db.run("BEGIN");
	try {
		const counter = readLastId(db);
		// `checkCounters` has reported any other value.
		const lastId = typeof counter === "bigint" ? counter : maxInt64;
		await checkRows(toSource(db).sql, lastId, keyCounters, findings);
	} finally {
		db.run("COMMIT");
	}
}

const keyCounters =
	"SELECT seq AS value FROM sqlite_sequence WHERE name = 'keys' AND typeof(seq) = 'integer'";
