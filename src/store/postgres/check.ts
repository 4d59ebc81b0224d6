// Checks a PostgreSQL database: whether its indexes agree with its tables, and what is in them. It only reads.
import { minInt64 } from "../../contract/json.ts";
import { keyScopes } from "../../contract/key-scope.ts";
import { petStatuses } from "../../contract/pet.ts";
import { maxFindings } from "../../limits.ts";
import {
	type Checked,
	createFindings,
	type Findings,
	rowFindings,
	toRules,
} from "../check.ts";
import { readPets } from "./archive/read.ts";
import { withLongConnection } from "./connection.ts";
import { type Queryable, query } from "./database.ts";
import { readLastId } from "./epoch.ts";
import { beginSnapshot } from "./older-schema.ts";

export async function checkDatabase(url: string): Promise<Checked> {
	const findings = createFindings();
	await withLongConnection(url, "read", async (client) => {
		const db = await beginSnapshot(client);
		await checkIndexes(db, findings);
		await checkRows(db, findings);
		await checkPets(db, findings);
	});
	return findings.toChecked();
}

/** What an index gives and what the table gives must be the same animals. */
async function checkIndexes(db: Queryable, findings: Findings): Promise<void> {
	for (const condition of [
		"id > 0",
		...petStatuses.map((status) => `id > 0 AND status = '${status}'`),
	]) {
		const [byTable, byIndex] = [
			await readSum(db, condition, false),
			await readSum(db, condition, true),
		];
		if (byTable !== byIndex)
			findings.add(
				`index of the animals with ${condition}: count and sum of the ids are ${byIndex}, those of the table are ${byTable}.`,
			);
	}
}

async function readSum(
	db: Queryable,
	condition: string,
	byIndex: boolean,
): Promise<string> {
	await query(
		db,
		`SELECT set_config('enable_seqscan', $1, true), set_config('enable_indexscan', $2, true),
			set_config('enable_indexonlyscan', $2, true), set_config('enable_bitmapscan', $2, true)`,
		byIndex ? ["off", "on"] : ["on", "off"],
	);
	const [row] = await query<{ sum: string }>(
		db,
		`SELECT count(*) || ' and ' || coalesce(sum(id), 0) AS sum FROM petstore.pets WHERE ${condition}`,
	);
	return row?.sum ?? "";
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

const scopes = keyScopes.map((scope) => `'${scope}'`).join(", ");

/** Each query gives the rows that break a rule. */
const rules = toRules({
	petId: "SELECT id AS what FROM petstore.pets WHERE id < 1 OR id > last_id",
	position:
		"SELECT position AS what FROM petstore.changes WHERE position < 1 OR position > last_id",
	kind: "SELECT position AS what FROM petstore.changes WHERE kind NOT IN ('added', 'changed', 'removed')",
	removedPet:
		"SELECT pet_id AS what FROM petstore.changes JOIN petstore.pets ON id = pet_id WHERE kind = 'removed'",
	missingPet:
		"SELECT pet_id AS what FROM petstore.changes LEFT JOIN petstore.pets ON id = pet_id WHERE kind <> 'removed' AND id IS NULL",
	feedBase:
		"SELECT count(*) AS what FROM petstore.catalogue HAVING count(*) <> 1",
	idempotencyKey:
		"SELECT pet_id AS what FROM petstore.idempotency_keys WHERE pet_id < 1 OR pet_id > last_id",
	keyScope: `SELECT id AS what FROM petstore.keys WHERE scope NOT IN (${scopes})`,
	keySecret: `SELECT keys.id AS what FROM petstore.keys
		LEFT JOIN petstore.key_secrets ON key_id = keys.id AND key_secrets.expires_at IS NULL
		GROUP BY keys.id HAVING count(key_id) <> 1`,
	secretHash:
		"SELECT key_id AS what FROM petstore.key_secrets WHERE hash !~ '^[0-9a-f]{64}$'",
});
