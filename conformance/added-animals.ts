// How many animals the cases add at most, and whether the key may add any.
import type { Case, Step } from "./case.ts";
import type { Result } from "./run.ts";

/** An upper bound: counts every POST, even one that a conforming pet store refuses. */
export function countAddedAnimals(cases: readonly Case[]): number {
	return cases.flatMap(({ steps }) => steps).filter(isAdd).length;
}

/** Whether the last case failed because its key may not add animals. If an earlier case added one, the 403 has another reason. */
export function cannotAdd(results: readonly Result[]): boolean {
	const failure = results.at(-1)?.failure;
	if (failure?.reply?.status !== 403 || failure.step.expect.status !== 201)
		return false;
	return !results.some(
		({ case: one, outcome }) => outcome === "passed" && one.steps.some(isAdd),
	);
}

function isAdd({ request }: Step): boolean {
	return request.method === "POST";
}
