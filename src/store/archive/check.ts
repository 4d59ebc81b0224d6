// What a check of a database has found, and the rules that both engines check.
import { authorKinds } from "../../domain/author.ts";
import { keyScopes } from "../../domain/key-scope.ts";
import type { Pet } from "../../domain/pet.ts";
import { newPets } from "../../formats/pet.ts";
import { isProblems } from "../../formats/problem.ts";
import { levels } from "../usage/levels.ts";
import { durationColumns } from "../usage/rows.ts";
import type { Sql, TableName } from "./tables.ts";

/** Problems that `petstore check` prints. After that it only counts them. */
const maxFindings = 100;

export type Findings = ReturnType<typeof createFindings>;
export type Checked = ReturnType<Findings["toChecked"]>;

export function createFindings() {
	const findings: string[] = [];
	let [animals, count] = [0, 0];
	const add = (finding: string) => {
		count++;
		if (findings.length < maxFindings) findings.push(finding);
	};
	return {
		add,
		/** Adds some findings, and counts all of them. */
		addSome(some: readonly string[], total: number) {
			for (const finding of some) add(finding);
			count += total - some.length;
		},
		checkPet(pet: Pet) {
			animals++;
			const checked = newPets.toRow(pet);
			if (!isProblems(checked)) return;
			const rules = checked.map(({ message }) => message).join(" ");
			add(`animal ${pet.id}: ${rules}`);
		},
		/** The number of animals, the first problems, and the number of problems. */
		toChecked: () => ({ animals, findings, count }),
	};
}

/** The number of rows, and a sum of their values if the engine compares them here. */
type IndexRows = readonly [rows: string, sum?: string | undefined];

export function checkIndex(
	name: string,
	[rows, sum]: IndexRows,
	[rowsOfTable, sumOfTable]: IndexRows,
	findings: Findings,
): void {
	if (rows !== rowsOfTable)
		findings.add(
			`index ${name}: its row count is ${rows}, expected ${rowsOfTable}.`,
		);
	else if (sum !== sumOfTable)
		findings.add(`index ${name}: its values differ from the table.`);
}

/** `lastId` is the last assigned id. `keyCounters` selects each `value` of the key counter, which each engine stores elsewhere. */
export async function checkRows(
	sql: Sql,
	lastId: bigint,
	keyCounters: string,
	findings: Findings,
): Promise<void> {
	const rules = Object.values(toRules(lastId, keyCounters));
	for (const [sentence, query] of rules.flatMap(Object.entries)) {
		const rows = await sql(
			`WITH broken (number) AS (SELECT ${query}) SELECT number, count(*) OVER () AS total FROM broken LIMIT ${maxFindings}`,
		);
		findings.addSome(
			rows.map(({ number }) => sentence.replace("#", `${number}`)),
			Number(rows[0]?.total ?? 0),
		);
	}
}

/** Every table has rules: an error message, and the query that selects the numbers for its `#`. */
function toRules(
	lastId: bigint,
	keyCounters: string,
): Readonly<Record<TableName, Readonly<Record<string, string>>>> {
	const isUnassigned = (name: string) => `(${name} < 1 OR ${name} > ${lastId})`;
	const range = `must be from 1 to ${lastId}, the last`;
	const changes = "petstore.changes";
	const changedPets = `${changes} JOIN petstore.pets ON id = pet_id`;
	return {
		pets: {
			[`animal #: its id ${range} that was assigned.`]: `id FROM petstore.pets WHERE ${isUnassigned("id")}`,
			[`animal #: its version ${range} number that was assigned.`]: `id FROM petstore.pets WHERE ${isUnassigned("version")}`,
			"animal #: the time of its add is out of range.": `id FROM petstore.pets WHERE ${isOutOfTime("added_at")}`,
		},
		changes: {
			"animal #: its version differs from its position in the feed.": `id FROM ${changedPets} WHERE kind <> 'removed' AND version IS DISTINCT FROM position`,
			[`feed, position #: it ${range} that was assigned.`]: `position FROM ${changes} WHERE ${isUnassigned("position")}`,
			"feed, position #: its kind is unknown.": `position FROM ${changes} WHERE kind NOT IN ('added', 'changed', 'removed')`,
			"feed: animal # was removed, but still exists.": `pet_id FROM ${changedPets} WHERE kind = 'removed'`,
			"feed: animal # was added or changed, but is missing.": `pet_id FROM ${changes} LEFT JOIN petstore.pets ON id = pet_id WHERE kind <> 'removed' AND id IS NULL`,
		},
		catalogue: {
			"feed: expected 1 base row, found #.":
				"count(*) FROM petstore.catalogue HAVING count(*) <> 1",
			[`feed: its base must be a number of at most ${maxBaseDigits} digits.`]: `1 FROM petstore.catalogue
				WHERE length(feed_base) NOT BETWEEN 1 AND ${maxBaseDigits} OR ${hasOthers("feed_base", digits)}`,
			"catalogue: its id must have 8 hexadecimal digits.": `1 FROM petstore.catalogue WHERE length(id) <> 8 OR ${hasOthers("id", hexDigits)}`,
		},
		idempotencyKeys: {
			[`an Idempotency-Key of animal #: the id ${range} that was assigned.`]: `pet_id FROM petstore.idempotency_keys WHERE ${isUnassigned("pet_id")}`,
			"an Idempotency-Key of animal #: its time is out of range.": `pet_id FROM petstore.idempotency_keys WHERE ${isOutOfTime("used_at")}`,
		},
		keys: {
			[`key #: its id must be from 1 to ${maxCount}.`]: `id FROM petstore.keys WHERE id < 1 OR ${isOutOfCount("id")}`,
			[`counter of keys: it must be at most ${maxCount}, found #.`]: `value FROM (${keyCounters}) AS counters WHERE ${isOutOfCount("value")}`,
			"key #: its scope is unknown.": `id FROM petstore.keys WHERE scope NOT IN (${toList(keyScopes)})`,
			"key #: a time is out of range.": `id FROM petstore.keys WHERE ${isOutOfTime("created_at", "expires_at", "revoked_at", "last_used_at")}`,
		},
		history: {
			[`history, position #: it ${range} that was assigned.`]: `position FROM petstore.history WHERE ${isUnassigned("position")}`,
			"history, position #: its kind is unknown.": `position FROM petstore.history WHERE kind NOT IN ('added', 'changed', 'removed')`,
			"history, position #: its author is unknown.": `position FROM petstore.history WHERE by_kind NOT IN (${toList(authorKinds)})`,
			"history, position #: a time is out of range.": `position FROM petstore.history WHERE ${isOutOfTime("at", "added_at")}`,
			"history, position #: the animal before is incomplete.": `position FROM petstore.history
				WHERE kind <> 'added' AND (version IS NULL OR name IS NULL OR category_id IS NULL OR status IS NULL)`,
			"history, position #: it is above the version of its animal.": `position FROM petstore.history
				JOIN petstore.pets ON id = pet_id WHERE position > coalesce(pets.version, id)`,
		},
		sessions: {
			"session of #: a time is out of range.": `created_at FROM petstore.sessions WHERE ${isOutOfTime("created_at", "last_used_at")}`,
		},
		signInLinks: {
			"link that expires at #: its expiry is out of range.": `expires_at FROM petstore.sign_in_links WHERE ${isOutOfTime("expires_at")}`,
		},
		usage: {
			"usage of #: its period is unknown.": `starts_at FROM petstore.usage WHERE period NOT IN (${toList(periods)})`,
			"usage of #: its time is out of range.": `starts_at FROM petstore.usage WHERE ${isOutOfTime("starts_at")}`,
			"usage of #: a number is out of range.": `starts_at FROM petstore.usage
				WHERE ${isOutOfCount("requests", ...durationColumns)} OR status NOT BETWEEN 0 AND 999`,
		},
		categories: {
			"category #: its name must have 1 to 100 characters.": `id FROM petstore.categories WHERE length(name) NOT BETWEEN 1 AND 100`,
		},
		imports: {
			"import of #: its time or number of animals is out of range.": `finished_at FROM petstore.imports
				WHERE ${isOutOfTime("finished_at")} OR ${isOutOfCount("animals")}`,
			"import of #: the hash of its content is malformed.": `finished_at FROM petstore.imports
				WHERE length(content_hash) <> 64 OR ${hasOthers("content_hash", hexDigits)}`,
		},
	};
}

const periods = levels.map(({ name }) => name);

/** A position (base + counter) has at most 40 digits. */
const maxBaseDigits = 39;

/** The largest exact number. */
const maxCount = Number.MAX_SAFE_INTEGER;

/** NULL is in range. The maximum is that of Date. */
function isOutOfTime(...columns: readonly string[]): string {
	return isOutside(columns, 8_640_000_000_000_000);
}

function isOutOfCount(...columns: readonly string[]): string {
	return isOutside(columns, maxCount);
}

function isOutside(columns: readonly string[], max: number): string {
	return columns
		.map((column) => `${column} NOT BETWEEN 0 AND ${max}`)
		.join(" OR ");
}

/** Whether a text has other characters than these. */
function hasOthers(column: string, characters: string): string {
	return `ltrim(${column}, '${characters}') <> ''`;
}

const digits = "0123456789";
const hexDigits = `${digits}abcdef`;

function toList(values: readonly string[]): string {
	return values.map((value) => `'${value}'`).join(", ");
}
