// The rules for rows that both engines check: what is said of a row that breaks one, and conditions that are the same SQL in both.
import { keyScopes } from "../contract/key-scope.ts";
import { levels, oldHours } from "./usage-levels.ts";
import { durationColumns } from "./usage-rows.ts";

/** What is said of a row that breaks a rule. Each engine has a query for each rule, which gives the numbers of those rows. */
export const rowFindings = {
	petId: (id: bigint, lastId: bigint) =>
		`animal ${id}: its id must be from 1 to ${lastId}, the last that was assigned.`,
	petVersion: (id: bigint, lastId: bigint) =>
		`animal ${id}: its version must be from 1 to ${lastId}, the last number that was assigned.`,
	petTime: (id: bigint) => `animal ${id}: the time of its add is out of range.`,
	changedVersion: (id: bigint) =>
		`animal ${id}: its version is not its position in the feed.`,
	position: (position: bigint, lastId: bigint) =>
		`feed, position ${position}: it must be from 1 to ${lastId}, the last that was assigned.`,
	kind: (position: bigint) =>
		`feed, position ${position}: its kind is not known.`,
	removedPet: (id: bigint) =>
		`feed: animal ${id} was removed, but is still there.`,
	missingPet: (id: bigint) =>
		`feed: animal ${id} was added or changed, but is missing.`,
	feedBases: (count: bigint) => `feed: expected 1 base row, found ${count}.`,
	feedBase: () =>
		`feed: its base must be a number of at most ${maxBaseDigits} digits.`,
	catalogueId: () => "catalogue: its id must have 8 hexadecimal digits.",
	idempotencyKey: (id: bigint, lastId: bigint) =>
		`an Idempotency-Key of animal ${id}: the id must be from 1 to ${lastId}, the last that was assigned.`,
	idempotencyTime: (id: bigint) =>
		`an Idempotency-Key of animal ${id}: its time is out of range.`,
	keyId: (id: bigint) =>
		`key ${id}: its id must be from 1 to ${Number.MAX_SAFE_INTEGER}.`,
	keyCounter: (last: bigint) =>
		`counter of keys: it must be at most ${Number.MAX_SAFE_INTEGER}, found ${last}.`,
	keyScope: (id: bigint) => `key ${id}: its scope is not known.`,
	keyTime: (id: bigint) => `key ${id}: a time is out of range.`,
	keySecret: (id: bigint) =>
		`key ${id}: it must have exactly one secret that was not replaced.`,
	secretHash: (id: bigint) => `key ${id}: the hash of a secret is malformed.`,
	secretTime: (id: bigint) => `key ${id}: the end of a secret is out of range.`,
	sessionTime: (at: bigint) => `session of ${at}: a time is out of range.`,
	usagePeriod: (at: bigint) => `usage of ${at}: its period is not known.`,
	usageTime: (at: bigint) => `usage of ${at}: its time is out of range.`,
	usageNumber: (at: bigint) => `usage of ${at}: a number is out of range.`,
	importNumber: (at: bigint) =>
		`import of ${at}: its time or number of animals is out of range.`,
} as const;

/** A position is the base and a value of the counter, and has 40 digits at most. */
export const maxBaseDigits = 39;

export type RowRule = keyof typeof rowFindings;

/** The rules with their queries. */
export function toRules(
	queries: Readonly<Record<RowRule, string>>,
): { rule: RowRule; sql: string }[] {
	return Object.entries(queries).flatMap(([rule, sql]) =>
		isRowRule(rule) ? [{ rule, sql }] : [],
	);
}

function isRowRule(rule: string): rule is RowRule {
	return rule in rowFindings;
}

// Conditions of both engines.

/** NULL is in range. The largest is that of Date. */
export const isOutOfTime = (...columns: readonly string[]) =>
	isOutside(columns, 0, 8_640_000_000_000_000);

/** Numbers that are read without a loss. */
export const isOutOfCount = (...columns: readonly string[]) =>
	isOutside(columns, 0, Number.MAX_SAFE_INTEGER);

export const isUsageNumberOut = `${isOutOfCount("requests", ...durationColumns)} OR ${isOutside(["status"], 0, 999)}`;

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
export const hasOthers = (column: string, characters: string) =>
	`ltrim(${column}, '${characters}') <> ''`;

export const digits = "0123456789";
export const hexDigits = `${digits}abcdef`;

/** Lists of SQL. */
export const knownScopes = toList(keyScopes);
export const knownPeriods = toList(
	[...levels, oldHours].map(({ name }) => name),
);

function toList(values: readonly string[]): string {
	return values.map((value) => `'${value}'`).join(", ");
}
