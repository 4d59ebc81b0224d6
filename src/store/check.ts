// What a check of a database has found, and the rules of animals that both engines check.
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
