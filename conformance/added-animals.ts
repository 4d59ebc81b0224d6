// How many animals the cases add at most.
import type { Case, Step } from "./case.ts";

/** An upper bound: counts every POST, even one that a conforming pet store refuses. */
export function countAddedAnimals(cases: readonly Case[]): number {
	return cases.flatMap(({ steps }) => steps).filter(isAdd).length;
}

export function isAdd({ request }: Step): boolean {
	return request.method === "POST";
}
