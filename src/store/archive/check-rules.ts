// The rules for the rows of each table, and what is said of a row that breaks one.
import { keyScopes } from "../../domain/key-scope.ts";
import { levels, oldHours } from "../usage-levels.ts";
import { durationColumns } from "../usage-rows.ts";
import type { Findings } from "./check.ts";
import { maxFindings } from "./check.ts";
import { type Sql, type TableName, toSqlName } from "./tables.ts";

/** The number that the sentence is about, which rows break the rule, the sentence, and the table with those that it is joined to. */
type Rule = readonly [
	what: string,
	where: string,
	toFinding: (what: bigint) => string,
	from?: string,
];

/** The counter of keys, which each engine has elsewhere: which number, from where, and whether it is one. */
export interface KeyCounter {
	readonly column: string;
	readonly from: string;
	readonly isNumber: string;
}

/** `lastId` is the last id that was assigned. */
export async function checkRows(
	sql: Sql,
	lastId: bigint,
	keyCounter: KeyCounter,
	findings: Findings,
): Promise<void> {
	const rules = Object.entries(toRules(lastId, keyCounter));
	for (const [table, ofTable] of rules)
		for (const [what, where, toFinding, from = toSqlName(table)] of ofTable) {
			const rows = await sql(
				`SELECT what, count(*) OVER () AS total
				FROM (SELECT ${what} AS what FROM petstore.${from} WHERE ${where}) AS broken LIMIT ${maxFindings}`,
			);
			findings.addSome(
				rows.map(({ what }) => toFinding(BigInt(what ?? 0))),
				Number(rows[0]?.total ?? 0),
			);
		}
}

/** A new table must have rules here. */
function toRules(
	lastId: bigint,
	{ column, from, isNumber }: KeyCounter,
): Readonly<Record<TableName, readonly Rule[]>> {
	const isUnassigned = (name: string) => `(${name} < 1 OR ${name} > ${lastId})`;
	const range = `must be from 1 to ${lastId}, the last`;
	const maxCount = Number.MAX_SAFE_INTEGER;
	const changesOfPets = "changes JOIN petstore.pets ON id = pet_id";
	const secretsOfKeys =
		"keys LEFT JOIN petstore.key_secrets ON key_id = keys.id AND key_secrets.expires_at IS NULL";
	return {
		pets: [
			[
				"id",
				isUnassigned("id"),
				(id) => `animal ${id}: its id ${range} that was assigned.`,
			],
			[
				"id",
				isUnassigned("version"),
				(id) => `animal ${id}: its version ${range} number that was assigned.`,
			],
			[
				"id",
				isOutOfTime("added_at"),
				(id) => `animal ${id}: the time of its add is out of range.`,
			],
		],
		changes: [
			[
				"id",
				"kind <> 'removed' AND version IS DISTINCT FROM position",
				(id) => `animal ${id}: its version is not its position in the feed.`,
				changesOfPets,
			],
			[
				"position",
				isUnassigned("position"),
				(position) =>
					`feed, position ${position}: it ${range} that was assigned.`,
			],
			[
				"position",
				"kind NOT IN ('added', 'changed', 'removed')",
				(position) => `feed, position ${position}: its kind is not known.`,
			],
			[
				"pet_id",
				"kind = 'removed'",
				(id) => `feed: animal ${id} was removed, but is still there.`,
				changesOfPets,
			],
			[
				"pet_id",
				"kind <> 'removed' AND id IS NULL",
				(id) => `feed: animal ${id} was added or changed, but is missing.`,
				changesOfPets.replace("JOIN", "LEFT JOIN"),
			],
		],
		catalogue: [
			[
				"count(*)",
				"true HAVING count(*) <> 1",
				(count) => `feed: expected 1 base row, found ${count}.`,
			],
			[
				"1",
				`length(feed_base) NOT BETWEEN 1 AND ${maxBaseDigits} OR ${hasOthers("feed_base", digits)}`,
				() =>
					`feed: its base must be a number of at most ${maxBaseDigits} digits.`,
			],
			[
				"1",
				`length(id) <> 8 OR ${hasOthers("id", hexDigits)}`,
				() => "catalogue: its id must have 8 hexadecimal digits.",
			],
		],
		idempotencyKeys: [
			[
				"pet_id",
				isUnassigned("pet_id"),
				(id) =>
					`an Idempotency-Key of animal ${id}: the id ${range} that was assigned.`,
			],
			[
				"pet_id",
				isOutOfTime("used_at"),
				(id) => `an Idempotency-Key of animal ${id}: its time is out of range.`,
			],
		],
		keys: [
			[
				"id",
				`id < 1 OR ${isOutOfCount("id")}`,
				(id) => `key ${id}: its id must be from 1 to ${maxCount}.`,
			],
			[
				column,
				`${isNumber} AND (${isOutOfCount(column)})`,
				(last) =>
					`counter of keys: it must be at most ${maxCount}, found ${last}.`,
				from,
			],
			[
				"id",
				`scope NOT IN (${toList(keyScopes)})`,
				(id) => `key ${id}: its scope is not known.`,
			],
			[
				"id",
				isOutOfTime("created_at", "expires_at", "revoked_at", "last_used_at"),
				(id) => `key ${id}: a time is out of range.`,
			],
		],
		keySecrets: [
			[
				"keys.id",
				"true GROUP BY keys.id HAVING count(key_id) <> 1",
				(id) =>
					`key ${id}: it must have exactly one secret that was not replaced.`,
				secretsOfKeys,
			],
			[
				"key_id",
				`length(hash) <> 64 OR ${hasOthers("hash", hexDigits)}`,
				(id) => `key ${id}: the hash of a secret is malformed.`,
			],
			[
				"key_id",
				isOutOfTime("expires_at"),
				(id) => `key ${id}: the end of a secret is out of range.`,
			],
		],
		sessions: [
			[
				"created_at",
				isOutOfTime("created_at", "last_used_at"),
				(at) => `session of ${at}: a time is out of range.`,
			],
		],
		signInLinks: [
			[
				"expires_at",
				isOutOfTime("expires_at"),
				(at) => `link that ends at ${at}: its end is out of range.`,
			],
		],
		usage: [
			[
				"starts_at",
				`period NOT IN (${toList(periods)})`,
				(at) => `usage of ${at}: its period is not known.`,
			],
			[
				"starts_at",
				isOutOfTime("starts_at"),
				(at) => `usage of ${at}: its time is out of range.`,
			],
			[
				"starts_at",
				`${isOutOfCount("requests", ...durationColumns)} OR ${isOutside(["status"], 0, 999)}`,
				(at) => `usage of ${at}: a number is out of range.`,
			],
		],
		imports: [
			[
				"finished_at",
				`${isOutOfTime("finished_at")} OR ${isOutOfCount("animals")}`,
				(at) =>
					`import of ${at}: its time or number of animals is out of range.`,
			],
		],
	};
}

const periods = [...levels, oldHours].map(({ name }) => name);

/** A position is the base and a value of the counter, and has 40 digits at most. */
const maxBaseDigits = 39;

/** NULL is in range. The largest is that of Date. */
function isOutOfTime(...columns: readonly string[]): string {
	return isOutside(columns, 0, 8_640_000_000_000_000);
}

/** Numbers that are read without a loss. */
function isOutOfCount(...columns: readonly string[]): string {
	return isOutside(columns, 0, Number.MAX_SAFE_INTEGER);
}

function isOutside(
	columns: readonly string[],
	min: number,
	max: number,
): string {
	return columns
		.map((column) => `${column} NOT BETWEEN ${min} AND ${max}`)
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
