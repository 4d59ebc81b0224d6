// Checks a PostgreSQL database: its tables and indexes, and what is in them. It only reads.
import { minInt64 } from "../../../domain/json.ts";
import { type Checked, createFindings } from "../../archive/check.ts";
import { checkRows } from "../../archive/check-rules.ts";
import { readPets } from "../../archive/read.ts";
import { withLongConnection } from "../connections/connection.ts";
import { findDamage } from "../errors.ts";
import { readLastId } from "../feed/epoch.ts";
import { toSource } from "./archive.ts";
import { checkIndexes, checkObjects } from "./check-schema.ts";
import { beginSnapshot } from "./older-schema.ts";

export async function checkDatabase(url: string): Promise<Checked> {
	const findings = createFindings();
	await withLongConnection(url, "read", async (client) => {
		const db = await beginSnapshot(client);
		try {
			await checkObjects(client, findings);
			await checkIndexes(client, findings);
			const source = toSource(db);
			for await (const { rows } of readPets(source, minInt64))
				for (const pet of rows) findings.checkPet(pet);
			const lastId = await readLastId(db);
			await checkRows(source.sql, lastId, keyCounter, findings);
		} catch (error) {
			const damage = findDamage(error);
			if (damage === undefined) throw error;
			findings.add(`The database cannot be read: ${damage}.`);
		}
	});
	return findings.toChecked();
}

const keyCounter = {
	column: "last_value",
	from: "keys_id_seq",
	isNumber: "true",
};
