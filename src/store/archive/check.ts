// Checks what the constraints of the tables cannot state, on both engines in the same words.
import { type Sql, tableNames, toSqlName } from "./tables.ts";

/** Problems that one rule reports. */
const maxFindings = 100;

export interface Checked {
	readonly animals: number;
	/** A sentence for each problem. */
	readonly findings: readonly string[];
}

/** Returns the number of animals. `lastId` is the last assigned id. `count` makes the engine read each row of the table `read`. */
export async function checkRows(
	sql: Sql,
	lastId: bigint,
	count: string,
	findings: string[],
): Promise<number> {
	for (const [sentence, query] of Object.entries(toRules(lastId))) {
		const rows = await sql(`SELECT ${query} LIMIT ${maxFindings}`);
		for (const { number } of rows)
			findings.push(sentence.replace("#", `${number}`));
	}
	let animals = 0;
	for (const name of tableNames) {
		const [row] = await sql(
			`SELECT ${count} AS count FROM petstore.${toSqlName(name)} AS read`,
		);
		if (name === "pets") animals = Number(row?.count);
	}
	return animals;
}

/** An error message, and the query that selects the `number` for its `#`. */
function toRules(lastId: bigint): Readonly<Record<string, string>> {
	const isUnassigned = (column: string) =>
		`(${column} < 1 OR ${column} > ${lastId})`;
	const changed = "petstore.changes LEFT JOIN petstore.pets ON id = pet_id";
	return {
		"catalogue: expected 1 row, found #.":
			"count(*) AS number FROM petstore.catalogue HAVING count(*) <> 1",
		"animal #: its id or version was never assigned.": `id AS number FROM petstore.pets WHERE ${isUnassigned("id")} OR ${isUnassigned("version")}`,
		"animal #: its version differs from its position in the feed.": `id AS number FROM ${changed} WHERE kind <> 'removed' AND id IS NOT NULL AND version IS DISTINCT FROM position`,
		"feed: animal # was removed, but still exists.": `id AS number FROM ${changed} WHERE kind = 'removed' AND id IS NOT NULL`,
		"feed: animal # was added or changed, but is missing.": `pet_id AS number FROM ${changed} WHERE kind <> 'removed' AND id IS NULL`,
		"feed: position # was never assigned.": `position AS number FROM petstore.changes WHERE ${isUnassigned("position")}`,
		"history: position # was never assigned.": `position AS number FROM petstore.history WHERE ${isUnassigned("position")}`,
		"an Idempotency-Key: the id # of its animal was never assigned.": `pet_id AS number FROM petstore.idempotency_keys WHERE ${isUnassigned("pet_id")}`,
	};
}
