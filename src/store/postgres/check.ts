// Checks a PostgreSQL database: its tables and indexes, and what is in them. It only reads.
import { minInt64 } from "../../contract/json.ts";
import { maxFindings } from "../../limits.ts";
import { type Checked, createFindings, type Findings } from "../check.ts";
import {
	digits,
	hasOthers,
	hexDigits,
	isOutOfCount,
	isOutOfTime,
	isUsageNumberOut,
	knownPeriods,
	knownScopes,
	maxBaseDigits,
	rowFindings,
	toRules,
} from "../check-rules.ts";
import { readPets } from "./archive/read.ts";
import { checkIndexes, checkObjects } from "./check-schema.ts";
import { withLongConnection } from "./connection.ts";
import { type Queryable, query } from "./database.ts";
import { readLastId } from "./epoch.ts";
import { findDamage } from "./errors.ts";
import { beginSnapshot } from "./older-schema.ts";

export async function checkDatabase(url: string): Promise<Checked> {
	const findings = createFindings();
	await withLongConnection(url, "read", async (client) => {
		const db = await beginSnapshot(client);
		try {
			await checkObjects(client, findings);
			await checkIndexes(client, findings);
			await checkPets(db, findings);
			await checkRows(db, findings);
		} catch (error) {
			const damage = findDamage(error);
			if (damage === undefined) throw error;
			findings.add(`The database cannot be read: ${damage}.`);
		}
	});
	return findings.toChecked();
}

/** What rows say about each other. */
async function checkRows(db: Queryable, findings: Findings): Promise<void> {
	const lastId = await readLastId(db);
	for (const { rule, sql } of rules) {
		const rows = await query<{ what: string; total: string }>(
			db,
			`SELECT what, count(*) OVER () AS total
			FROM (SELECT $1::int8 AS last_id) AS counter, LATERAL (${sql}) AS broken LIMIT ${maxFindings}`,
			[lastId],
		);
		findings.addSome(
			rows.map(({ what }) => rowFindings[rule](BigInt(what), lastId)),
			Number(rows[0]?.total ?? 0),
		);
	}
}

async function checkPets(db: Queryable, findings: Findings): Promise<void> {
	for await (const pets of readPets(db, String(minInt64)))
		for (const pet of pets) findings.checkPet(pet);
}

/** Each query gives the rows that break a rule. */
const rules = toRules({
	petId: "SELECT id AS what FROM petstore.pets WHERE id < 1 OR id > last_id",
	petVersion:
		"SELECT id AS what FROM petstore.pets WHERE version < 1 OR version > last_id",
	petTime: `SELECT id AS what FROM petstore.pets WHERE ${isOutOfTime("added_at")}`,
	changedVersion:
		"SELECT id AS what FROM petstore.changes JOIN petstore.pets ON id = pet_id WHERE kind <> 'removed' AND version IS DISTINCT FROM position",
	position:
		"SELECT position AS what FROM petstore.changes WHERE position < 1 OR position > last_id",
	kind: "SELECT position AS what FROM petstore.changes WHERE kind NOT IN ('added', 'changed', 'removed')",
	removedPet:
		"SELECT pet_id AS what FROM petstore.changes JOIN petstore.pets ON id = pet_id WHERE kind = 'removed'",
	missingPet:
		"SELECT pet_id AS what FROM petstore.changes LEFT JOIN petstore.pets ON id = pet_id WHERE kind <> 'removed' AND id IS NULL",
	feedBases:
		"SELECT count(*) AS what FROM petstore.catalogue HAVING count(*) <> 1",
	feedBase: `SELECT 1 AS what FROM petstore.catalogue WHERE length(feed_base) NOT BETWEEN 1 AND ${maxBaseDigits} OR ${hasOthers("feed_base", digits)}`,
	catalogueId: `SELECT 1 AS what FROM petstore.catalogue WHERE length(id) <> 8 OR ${hasOthers("id", hexDigits)}`,
	idempotencyKey:
		"SELECT pet_id AS what FROM petstore.idempotency_keys WHERE pet_id < 1 OR pet_id > last_id",
	idempotencyTime: `SELECT pet_id AS what FROM petstore.idempotency_keys WHERE ${isOutOfTime("used_at")}`,
	keyId: `SELECT id AS what FROM petstore.keys WHERE id < 1 OR ${isOutOfCount("id")}`,
	keyCounter: `SELECT last_value AS what FROM petstore.keys_id_seq WHERE ${isOutOfCount("last_value")}`,
	keyScope: `SELECT id AS what FROM petstore.keys WHERE scope NOT IN (${knownScopes})`,
	keyTime: `SELECT id AS what FROM petstore.keys
		WHERE ${isOutOfTime("created_at", "expires_at", "revoked_at", "last_used_at")}`,
	keySecret: `SELECT keys.id AS what FROM petstore.keys
		LEFT JOIN petstore.key_secrets ON key_id = keys.id AND key_secrets.expires_at IS NULL
		GROUP BY keys.id HAVING count(key_id) <> 1`,
	secretHash: `SELECT key_id AS what FROM petstore.key_secrets
		WHERE length(hash) <> 64 OR ${hasOthers("hash", hexDigits)}`,
	secretTime: `SELECT key_id AS what FROM petstore.key_secrets WHERE ${isOutOfTime("expires_at")}`,
	sessionTime: `SELECT created_at AS what FROM petstore.sessions
		WHERE ${isOutOfTime("created_at", "last_used_at")}`,
	usagePeriod: `SELECT starts_at AS what FROM petstore.usage WHERE period NOT IN (${knownPeriods})`,
	usageTime: `SELECT starts_at AS what FROM petstore.usage WHERE ${isOutOfTime("starts_at")}`,
	usageNumber: `SELECT starts_at AS what FROM petstore.usage WHERE ${isUsageNumberOut}`,
	importNumber: `SELECT finished_at AS what FROM petstore.imports
		WHERE ${isOutOfTime("finished_at")} OR ${isOutOfCount("animals")}`,
});
