// Checks the rows of a PostgreSQL database, which guards its pages and constraints itself. It needs only the right to SELECT.
import { type Checked, checkRows } from "../../archive/check.ts";
import { withLongConnection } from "../connection.ts";
import { toSql } from "../database.ts";
import { findDamage } from "../errors.ts";
import { readLastId } from "../feed/epoch.ts";
import { beginSnapshot } from "./export.ts";

export async function checkDatabase(url: string): Promise<Checked> {
	const findings: string[] = [];
	let animals = 0;
	await withLongConnection(url, "read", async (client) => {
		await beginSnapshot(client);
		try {
			const lastId = await readLastId(client);
			animals = await checkRows(toSql(client), lastId, "count(read)", findings);
		} catch (error) {
			const damage = findDamage(error);
			if (damage === undefined) throw error;
			findings.push(`The database cannot be read: ${damage}.`);
		}
	});
	return { animals, findings };
}
