// What a check of a database has found, and the rules that both engines check.
import type { Pet } from "../../domain/pet.ts";
import { newPets } from "../../formats/pet.ts";
import { isProblems } from "../../formats/problem.ts";

/** Problems that `petstore check` prints. After that it only counts them. */
export const maxFindings = 100;

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
		/** Adds some of a larger number of findings. */
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
		/** How many animals were checked, the first problems, and how many there are. */
		toChecked: () => ({ animals, findings, count }),
	};
}

/** The objects of a schema by their kind and name, each with its definition. */
export type Schema = ReadonlyMap<string, string>;

/** Compares with what the migrations make. */
export function checkSchema(
	found: Schema,
	expected: Schema,
	findings: Findings,
): void {
	for (const [name, definition] of expected)
		if (!found.has(name)) findings.add(`schema: ${name} is missing.`);
		else if (found.get(name) !== definition)
			findings.add(`schema: ${name} differs from the migrations.`);
	for (const name of found.keys())
		if (!expected.has(name)) findings.add(`schema: ${name} is unexpected.`);
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
