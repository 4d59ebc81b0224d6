// What a check of a database has found, and the rules that both engines check.
import { Failure } from "../contract/errors.ts";
import {
	isShortName,
	maxNameBytes,
	type Pet,
	toNewPet,
} from "../contract/pet.ts";
import { maxFindings } from "../limits.ts";

/** The result of a check. */
export interface Checked {
	/** The animals that were checked. */
	readonly animals: number;
	/** One sentence for each of the first problems. */
	readonly findings: readonly string[];
	/** All of them. */
	readonly count: number;
}

export interface Findings {
	readonly add: (finding: string) => void;
	/** Adds some of a larger number of findings. */
	readonly addSome: (some: readonly string[], total: number) => void;
	readonly checkPet: (pet: Pet) => void;
	readonly toChecked: () => Checked;
}

export function createFindings(): Findings {
	const findings: string[] = [];
	let [animals, count] = [0, 0];
	const add = (finding: string) => {
		count++;
		if (findings.length < maxFindings) findings.push(finding);
	};
	return {
		add,
		addSome(some, total) {
			for (const finding of some) add(finding);
			count += total - some.length;
		},
		checkPet(pet) {
			animals++;
			const problem = findPetProblem(pet);
			if (problem !== undefined) add(`animal ${pet.id}: ${problem}`);
		},
		toChecked: () => ({ animals, findings, count }),
	};
}

/** What is said of a row that breaks a rule. Each engine has a query for each rule, which gives the numbers of those rows. */
export const rowFindings = {
	petId: (id: bigint, lastId: bigint) =>
		`animal ${id}: its id must be from 1 to ${lastId}, the last that was assigned.`,
	position: (position: bigint, lastId: bigint) =>
		`feed, position ${position}: it must be from 1 to ${lastId}, the last that was assigned.`,
	kind: (position: bigint) =>
		`feed, position ${position}: its kind is not known.`,
	removedPet: (id: bigint) =>
		`feed: animal ${id} was removed, but is still there.`,
	missingPet: (id: bigint) =>
		`feed: animal ${id} was added or changed, but is missing.`,
	feedBase: (count: bigint) =>
		`feed: it has ${count} beginnings, and must have one.`,
	idempotencyKey: (id: bigint, lastId: bigint) =>
		`an Idempotency-Key of animal ${id}: the id must be from 1 to ${lastId}, the last that was assigned.`,
	keyScope: (id: bigint) => `key ${id}: its scope is not known.`,
	keySecret: (id: bigint) =>
		`key ${id}: it must have exactly one secret that was not replaced.`,
	secretHash: (id: bigint) => `key ${id}: the hash of a secret is malformed.`,
} as const;

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

/** The rules of NewPet, and that of the longest name. */
function findPetProblem(pet: Pet): string | undefined {
	try {
		const { name } = toNewPet(pet);
		return isShortName(name)
			? undefined
			: `name must not take more than ${maxNameBytes} bytes as JSON.`;
	} catch (error) {
		if (error instanceof Failure) return error.message;
		throw error;
	}
}
