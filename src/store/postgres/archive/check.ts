// Checks a PostgreSQL database: its indexes and rows. It only reads, and needs only the right to SELECT.
import type { ClientBase } from "pg";
import { minInt64 } from "../../../domain/json.ts";
import {
	type Checked,
	checkIndex,
	checkRows,
	createFindings,
	type Findings,
} from "../../archive/check.ts";
import { readPets } from "../../archive/read.ts";
import { withLongConnection } from "../connection.ts";
import { query } from "../database.ts";
import { findDamage } from "../errors.ts";
import { readLastId } from "../feed/epoch.ts";
import { toSource } from "./archive.ts";
import { beginSnapshot } from "./export.ts";

export async function checkDatabase(url: string): Promise<Checked> {
	const findings = createFindings();
	await withLongConnection(url, "read", async (client) => {
		await beginSnapshot(client);
		try {
			await checkIndexes(client, findings);
			const source = toSource(client);
			for await (const { rows } of readPets(source, minInt64))
				for (const pet of rows) findings.checkPet(pet);
			const lastId = await readLastId(client);
			await checkRows(source.sql, lastId, keyCounters, findings);
		} catch (error) {
			const damage = findDamage(error);
			if (damage === undefined) throw error;
			findings.add(`The database cannot be read: ${damage}.`);
		}
	});
	return findings.toChecked();
}

const keyCounters = "SELECT last_value AS value FROM petstore.keys_id_seq";

/** An index must have the same rows as its table. */
async function checkIndexes(
	client: ClientBase,
	findings: Findings,
): Promise<void> {
	for (const index of await query<Index>(client, indexes)) {
		const byTable = await readSum(client, index, false);
		const byIndex = await readSum(client, index, true);
		checkIndex(index.name, byIndex, byTable, findings);
	}
}

interface Index {
	readonly name: string;
	readonly of: string;
	/** No two of our indexes have the same columns, so PostgreSQL reads the table in this order by this index. */
	readonly columns: string;
}

async function readSum(
	client: ClientBase,
	{ of, columns }: Index,
	byIndex: boolean,
) {
	const [scans, others] = byIndex ? ["on", "off"] : ["off", "on"];
	await client.query(`SET LOCAL enable_indexscan = ${scans}; SET LOCAL enable_indexonlyscan = ${scans};
		SET LOCAL enable_seqscan = ${others}; SET LOCAL enable_sort = ${others}; SET LOCAL enable_bitmapscan = off`);
	const [row] = await query<{ rows: string; sum: string }>(
		client,
		`SELECT count(*) AS rows, sum(hashtextextended(value, 0)) AS sum
		FROM (SELECT concat_ws(' ', ${columns}) AS value FROM ${of} ORDER BY ${columns}) AS ordered`,
	);
	return [row?.rows ?? "0", row?.sum] as const;
}

const ours = "relnamespace = 'petstore'::regnamespace";

const indexes = `SELECT relname AS name, indrelid::regclass::text AS of,
		(SELECT string_agg(pg_get_indexdef(indexrelid, number, false), ', ' ORDER BY number)
			FROM generate_series(1, indnkeyatts) AS number) AS columns
	FROM pg_index JOIN pg_class ON oid = indexrelid
	WHERE ${ours} AND indisvalid AND indisready AND indpred IS NULL ORDER BY name`;
