// How two contents of an animal differ, and what to say about a change by somebody else.
import type { Conflict, NewPet } from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/format.ts";

/** The fields that differ. Only they are sent, so that a change of other fields by somebody else stays. */
export function toDifference(one: NewPet, other: NewPet): Partial<NewPet> {
	const { name, categoryId, status } = other;
	return {
		...(one.name !== name && { name }),
		...(one.categoryId !== categoryId && { categoryId }),
		...(one.status !== status && { status }),
	};
}

export function toConflictText({ kind, pet }: Conflict): string {
	const what = kind === "removed" ? "removed" : "changed";
	return `${capitalise(toTitle(pet))} was ${what} by somebody else.`;
}
