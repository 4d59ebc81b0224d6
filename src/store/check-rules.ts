// The rules for the rows of each table, and what is said of a row that breaks one.
import { keyScopes } from "../contract/key-scope.ts";
import { maxFindings } from "../limits.ts";
import type { Findings } from "./check.ts";
import type { Sql } from "./sql.ts";
import { type TableName, toSqlName } from "./tables.ts";
import { levels, oldHours } from "./usage-levels.ts";
import { durationColumns } from "./usage-rows.ts";

export interface Rule {
	/** The number that the sentence is about. */
	readonly what: string;
	/** Which rows break the rule. */
	readonly where: string;
	readonly toFinding: (what: bigint) => string;
	/** With tables that are joined; the table alone if undefined. */
	readonly from?: string;
}

/** `lastId` is the last id that was assigned, `keyCounter` the rule for the counter of keys, which each engine has elsewhere. */
export async function checkRows(
	sql: Sql,
	lastId: bigint,
	keyCounter: Omit<Rule, "toFinding">,
	findings: Findings,
): Promise<void> {
	const rules = Object.entries(toRules(lastId, keyCounter));
	for (const [table, ofTable] of rules)
		for (const { what, where, toFinding, from = toSqlName(table) } of ofTable) {
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
	keyCounter: Omit<Rule, "toFinding">,
): Readonly<Record<TableName, readonly Rule[]>> {
	const isAbove = (column: string) =>
		`(${column} < 1 OR ${column} > ${lastId})`;
	const range = `must be from 1 to ${lastId}, the last`;
	return {
		pets: [
			{
				what: "id",
				where: isAbove("id"),
				toFinding: (id) => `animal ${id}: its id ${range} that was assigned.`,
			},
			{
				what: "id",
				where: isAbove("version"),
				toFinding: (id) =>
					`animal ${id}: its version ${range} number that was assigned.`,
			},
			{
				what: "id",
				where: isOutOfTime("added_at"),
				toFinding: (id) => `animal ${id}: the time of its add is out of range.`,
			},
		],
		changes: [
			{
				what: "id",
				from: changesOfPets,
				where: "kind <> 'removed' AND version IS DISTINCT FROM position",
				toFinding: (id) =>
					`animal ${id}: its version is not its position in the feed.`,
			},
			{
				what: "position",
				where: isAbove("position"),
				toFinding: (position) =>
					`feed, position ${position}: it ${range} that was assigned.`,
			},
			{
				what: "position",
				where: "kind NOT IN ('added', 'changed', 'removed')",
				toFinding: (position) =>
					`feed, position ${position}: its kind is not known.`,
			},
			{
				what: "pet_id",
				from: changesOfPets,
				where: "kind = 'removed'",
				toFinding: (id) =>
					`feed: animal ${id} was removed, but is still there.`,
			},
			{
				what: "pet_id",
				from: changesOfPets.replace("JOIN", "LEFT JOIN"),
				where: "kind <> 'removed' AND id IS NULL",
				toFinding: (id) =>
					`feed: animal ${id} was added or changed, but is missing.`,
			},
		],
		catalogue: [
			{
				what: "count(*)",
				where: "true HAVING count(*) <> 1",
				toFinding: (count) => `feed: expected 1 base row, found ${count}.`,
			},
			{
				what: "1",
				where: `length(feed_base) NOT BETWEEN 1 AND ${maxBaseDigits} OR ${hasOthers("feed_base", digits)}`,
				toFinding: () =>
					`feed: its base must be a number of at most ${maxBaseDigits} digits.`,
			},
			{
				what: "1",
				where: `length(id) <> 8 OR ${hasOthers("id", hexDigits)}`,
				toFinding: () => "catalogue: its id must have 8 hexadecimal digits.",
			},
		],
		idempotencyKeys: [
			{
				what: "pet_id",
				where: isAbove("pet_id"),
				toFinding: (id) =>
					`an Idempotency-Key of animal ${id}: the id ${range} that was assigned.`,
			},
			{
				what: "pet_id",
				where: isOutOfTime("used_at"),
				toFinding: (id) =>
					`an Idempotency-Key of animal ${id}: its time is out of range.`,
			},
		],
		keys: [
			{
				what: "id",
				where: `id < 1 OR ${isOutOfCount("id")}`,
				toFinding: (id) =>
					`key ${id}: its id must be from 1 to ${Number.MAX_SAFE_INTEGER}.`,
			},
			{
				...keyCounter,
				toFinding: (last) =>
					`counter of keys: it must be at most ${Number.MAX_SAFE_INTEGER}, found ${last}.`,
			},
			{
				what: "id",
				where: `scope NOT IN (${toList(keyScopes)})`,
				toFinding: (id) => `key ${id}: its scope is not known.`,
			},
			{
				what: "id",
				where: isOutOfTime(
					...["created_at", "expires_at", "revoked_at", "last_used_at"],
				),
				toFinding: (id) => `key ${id}: a time is out of range.`,
			},
		],
		keySecrets: [
			{
				what: "keys.id",
				from: `keys LEFT JOIN petstore.key_secrets ON key_id = keys.id AND key_secrets.expires_at IS NULL`,
				where: "true GROUP BY keys.id HAVING count(key_id) <> 1",
				toFinding: (id) =>
					`key ${id}: it must have exactly one secret that was not replaced.`,
			},
			{
				what: "key_id",
				where: `length(hash) <> 64 OR ${hasOthers("hash", hexDigits)}`,
				toFinding: (id) => `key ${id}: the hash of a secret is malformed.`,
			},
			{
				what: "key_id",
				where: isOutOfTime("expires_at"),
				toFinding: (id) => `key ${id}: the end of a secret is out of range.`,
			},
		],
		sessions: [
			{
				what: "created_at",
				where: isOutOfTime("created_at", "last_used_at"),
				toFinding: (at) => `session of ${at}: a time is out of range.`,
			},
		],
		signInLinks: [
			{
				what: "expires_at",
				where: isOutOfTime("expires_at"),
				toFinding: (at) => `link that ends at ${at}: its end is out of range.`,
			},
		],
		usage: [
			{
				what: "starts_at",
				where: `period NOT IN (${toList([...levels, oldHours].map(({ name }) => name))})`,
				toFinding: (at) => `usage of ${at}: its period is not known.`,
			},
			{
				what: "starts_at",
				where: isOutOfTime("starts_at"),
				toFinding: (at) => `usage of ${at}: its time is out of range.`,
			},
			{
				what: "starts_at",
				where: `${isOutOfCount("requests", ...durationColumns)} OR ${isOutside(["status"], 0, 999)}`,
				toFinding: (at) => `usage of ${at}: a number is out of range.`,
			},
		],
		imports: [
			{
				what: "finished_at",
				where: `${isOutOfTime("finished_at")} OR ${isOutOfCount("animals")}`,
				toFinding: (at) =>
					`import of ${at}: its time or number of animals is out of range.`,
			},
		],
	};
}

const changesOfPets = "changes JOIN petstore.pets ON id = pet_id";

/** A position is the base and a value of the counter, and has 40 digits at most. */
const maxBaseDigits = 39;

/** NULL is in range. The largest is that of Date. */
function isOutOfTime(...columns: readonly string[]): string {
	return isOutside(columns, 0, 8_640_000_000_000_000);
}

/** Numbers that are read without a loss. */
export function isOutOfCount(...columns: readonly string[]): string {
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
