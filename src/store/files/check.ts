// Looks for damage: what the engine finds in its files, and rows that contradict each other. Types, ranges and references are constraints
// of the tables, so the engine checks them.
import { toReason } from "../../domain/errors.ts";
import { petStatuses } from "../../domain/pet/pet.ts";
import type { Engine } from "../database/engine.ts";
import { all, first, type Work } from "../database/sql.ts";
import { newestState, selectLast } from "../database/state.ts";
import { tableNames, tables, toSqlName } from "../database/tables.ts";
import { selectDeltas } from "../edits/totals.ts";

/** Problems that are listed; further ones are only counted. */
const maxFindings = 100;

export interface Checked {
	readonly animals: number;
	readonly problems: number;
	/** A sentence for each of the first problems. */
	readonly findings: readonly string[];
	/** What could not be compared. */
	readonly note?: string;
}

/** A table is missing, or cannot be read. Any other error is thrown again: a server that stops says nothing about its tables. */
export function toUnreadable(error: unknown): Checked {
	const { cause = error } = error instanceof Error ? error : {};
	const code = cause instanceof Error && "code" in cause ? `${cause.code}` : "";
	// PostgreSQL has 42 for what is missing, and XX for what is corrupt.
	if (!/^(SQLITE_|42|XX)/.test(code)) throw error;
	return { animals: 0, problems: 1, findings: [toReason(cause)] };
}

export function* checkRows({
	findDamage = () => [],
	indexNames,
}: {
	readonly findDamage?: Engine["findDamage"];
	/** Without it, the database is of an earlier version, which had other indexes. */
	readonly indexNames: string | undefined;
}): Work<Checked> {
	const damage = findDamage();
	if (damage.length > 0)
		return { animals: 0, problems: damage.length, findings: damage };
	const findings: string[] = [];
	if (indexNames !== undefined) {
		const found = yield* all<{ name: string }>("list indexes", indexNames);
		const names = new Set(found.map(({ name }) => name));
		for (const table of Object.values(tables))
			for (const index of Object.keys(table.indexes ?? {}))
				if (!names.has(index)) findings.push(`The index ${index} is missing.`);
	}
	let problems = findings.length;
	for (const [sentence, query] of Object.entries(rules)) {
		const rows = yield* all<{ number: bigint; count: bigint }>(
			"check rows",
			`SELECT number, count(*) OVER () AS count FROM (SELECT ${query}) AS found LIMIT ${maxFindings}`,
		);
		problems += Number(rows[0]?.count ?? 0);
		for (const { number } of rows.slice(0, maxFindings - findings.length))
			findings.push(sentence.replace("#", `${number}`));
	}
	let animals = 0;
	// Reads all of them, since a table may be missing.
	for (const name of tableNames) {
		const row = yield* first<{ rows: bigint }>(
			"count rows",
			`SELECT count(*) AS rows FROM ${toSqlName(name)}`,
		);
		if (name === "pets") animals = Number(row?.rows);
	}
	return { animals, problems, findings };
}

const isUnassigned = (column: string) =>
	`(${column} < 1 OR ${column} > (${selectLast}))`;
const changed = "changes LEFT JOIN pets ON id = pet_id";

/** A sentence, and the query that selects the `number` for its `#`. */
const rules = {
	"counter: the base of row # is no number.":
		"number FROM counter WHERE length(base) NOT BETWEEN 1 AND 30 OR ltrim(base, '0123456789') <> ''",
	"catalogue: expected 1 row, found #.":
		"count(*) AS number FROM catalogue HAVING count(*) <> 1",
	"counter: expected a row, found #.":
		"count(*) AS number FROM counter HAVING count(*) = 0",
	"animal #: its id or version was never assigned.": `id AS number FROM pets WHERE ${isUnassigned("id")} OR ${isUnassigned("version")}`,
	"animal #: its version differs from its position in the feed.": `id AS number FROM ${changed} WHERE kind <> 'removed' AND version <> position`,
	"feed: animal # was removed, but still exists.": `id AS number FROM ${changed} WHERE kind = 'removed' AND id IS NOT NULL`,
	"feed: animal # was added or changed, but is missing.": `pet_id AS number FROM ${changed} WHERE kind <> 'removed' AND id IS NULL`,
	"feed: position # was never assigned.": `position AS number FROM changes WHERE ${isUnassigned("position")}`,
	"history: position # was never assigned.": `position AS number FROM history WHERE ${isUnassigned("position")}`,
	"history: the edit of position # is missing.": `position AS number FROM history LEFT JOIN edits ON edits.id = edit WHERE edits.id IS NULL`,
	"edit #: it undoes itself, or a later edit.":
		"id AS number FROM edits WHERE undoes >= id",
	"an Idempotency-Key: the id # of its animal was never assigned.": `pet_id AS number FROM idempotency_keys WHERE ${isUnassigned("pet_id")}`,
	"category #: the number of its animals is wrong.": `category_id AS number FROM (
		SELECT category_id, status, pets FROM counts
		UNION ALL SELECT category_id, status, pets FROM (${selectDeltas}) AS deltas
		UNION ALL SELECT category_id, status, -count(*) FROM pets GROUP BY category_id, status
	) AS counted GROUP BY category_id, status HAVING sum(pets) <> 0`,
	...Object.fromEntries(
		petStatuses.map((status) => [
			`status ${status}: the number of its animals is wrong by #.`,
			`number FROM (SELECT (SELECT ${status} ${newestState}) - count(*) AS number FROM pets WHERE status = '${status}') AS counted WHERE number <> 0`,
		]),
	),
};
