// Checks a SQLite database: its pages, its tables, and what is in them. It only reads.
import { type Database, SQLiteError } from "bun:sqlite";
import { setImmediate as nextIteration } from "node:timers/promises";
import { minInt64 } from "../../contract/json.ts";
import { keyScopes } from "../../contract/key-scope.ts";
import { maxFindings } from "../../limits.ts";
import {
	type Checked,
	createFindings,
	type Findings,
	rowFindings,
	toRules,
} from "../check.ts";
import { readPets } from "./archive/read.ts";
import { readLastId } from "./epoch.ts";
import { openWithSchema, readPragma } from "./schema.ts";

export async function checkDatabase(db: Database): Promise<Checked> {
	const findings = createFindings();
	try {
		checkPages(db, findings);
		checkTables(db, findings);
		checkRows(db, findings);
		for (const { rows } of readPets(db, minInt64)) {
			for (const pet of rows) {
				findings.checkPet(pet);
				if (pet.name.includes("\ufffd")) checkText(db, pet.id, findings);
			}
			await nextIteration();
		}
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		findings.add(`The file cannot be read: ${error.message}.`);
	}
	return findings.toChecked();
}

/** The structure of the file, and whether each index has exactly the rows of its table. */
function checkPages(db: Database, findings: Findings): void {
	for (const [line] of db.query("PRAGMA integrity_check").values())
		if (line !== "ok") findings.add(`integrity: ${line}.`);
	for (const [table, row] of db.query("PRAGMA foreign_key_check").values())
		findings.add(`${table}, row ${row}: it refers to a row that is missing.`);
}

/** Whether tables and indexes are those of a new database with the same schema. */
function checkTables(db: Database, findings: Findings): void {
	const fresh = openWithSchema(readPragma(db, "user_version"));
	const [expected, found] = [readSchema(fresh), readSchema(db)];
	fresh.close();
	for (const [name, sql] of expected)
		if (!found.has(name)) findings.add(`schema: ${name} is missing.`);
		else if (found.get(name) !== sql)
			findings.add(`schema: ${name} is not as it must be.`);
	for (const name of found.keys())
		if (!expected.has(name)) findings.add(`schema: ${name} is not ours.`);
}

function readSchema(db: Database): Map<string, string> {
	return new Map(
		db
			.query<{ name: string; sql: string }, []>(
				"SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'",
			)
			.all()
			.map(({ name, sql }) => [name, withoutComments(sql)]),
	);
}

/** SQLite stores the text of a statement with its comments, and those of an older version may have other words. */
function withoutComments(sql: string): string {
	return sql.replace(/--.*$/gm, "").replace(/\s+/g, " ");
}

/** What rows say about each other. */
function checkRows(db: Database, findings: Findings): void {
	const lastId = readLastId(db);
	for (const { rule, sql } of rules) {
		const rows = db
			.query<{ what: bigint; total: bigint }, { lastId: bigint }>(
				`SELECT what, COUNT(*) OVER () AS total FROM (${sql}) LIMIT ${maxFindings}`,
			)
			.all({ lastId });
		findings.addSome(
			rows.map(({ what }) => rowFindings[rule](what, lastId)),
			Number(rows[0]?.total ?? 0),
		);
	}
}

const scopes = keyScopes.map((scope) => `'${scope}'`).join(", ");

/** Each query gives the rows that break a rule. */
const rules = toRules({
	petId: "SELECT id AS what FROM pets WHERE id < 1 OR id > $lastId",
	position:
		"SELECT position AS what FROM changes WHERE position < 1 OR position > $lastId",
	kind: "SELECT position AS what FROM changes WHERE kind NOT IN ('added', 'changed', 'removed')",
	removedPet:
		"SELECT pet_id AS what FROM changes JOIN pets ON id = pet_id WHERE kind = 'removed'",
	missingPet:
		"SELECT pet_id AS what FROM changes LEFT JOIN pets ON id = pet_id WHERE kind <> 'removed' AND id IS NULL",
	feedBase: "SELECT COUNT(*) AS what FROM catalogue HAVING COUNT(*) <> 1",
	idempotencyKey:
		"SELECT pet_id AS what FROM idempotency_keys WHERE pet_id < 1 OR pet_id > $lastId",
	keyScope: `SELECT id AS what FROM keys WHERE scope NOT IN (${scopes})`,
	keySecret: `SELECT keys.id AS what FROM keys LEFT JOIN key_secrets ON key_id = keys.id AND key_secrets.expires_at IS NULL
		GROUP BY keys.id HAVING COUNT(key_id) <> 1`,
	secretHash:
		"SELECT key_id AS what FROM key_secrets WHERE length(hash) <> 64 OR hash GLOB '*[^0-9a-f]*'",
});

/** SQLite gives U+FFFD for bytes that are not UTF-8. */
function checkText(db: Database, id: bigint, findings: Findings): void {
	const row = db
		.query<{ bytes: Uint8Array }, [bigint]>(
			"SELECT CAST(name AS BLOB) AS bytes FROM pets WHERE id = ?",
		)
		.get(id);
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(row?.bytes);
	} catch {
		findings.add(`animal ${id}: name is not UTF-8.`);
	}
}
