// Changes an animal only if it still is as the user sees it. A change by somebody else is returned, and not overwritten.
import {
	type Conflict,
	type NewPet,
	type Pet,
	type Pets,
	toConflict,
} from "../api/pets.ts";
import { capitalise, toTitle } from "../parts/labels.ts";

export async function changeShown(
	pets: Pets,
	shown: Pet,
	set: Partial<NewPet>,
): Promise<Conflict | { readonly kind: "changed"; readonly pet: Pet }> {
	const changes = [{ shown, set }];
	const wanted = { ...shown, ...set };
	try {
		const [version = shown.version] = await pets.change(changes);
		return { kind: "changed", pet: { ...wanted, version } };
	} catch (error) {
		const conflict = toConflict(error, changes);
		if (conflict === undefined) throw error;
		// Somebody else has wanted the same, or the reply to an earlier attempt was lost.
		return conflict.kind === "different" && isSame(conflict.pet, wanted)
			? { kind: "changed", pet: conflict.pet }
			: conflict;
	}
}

function isSame(one: Pet, other: Pet): boolean {
	return Object.keys(toDifference(one, other)).length === 0;
}

export function toConflictText({ kind, pet }: Conflict): string {
	const what = kind === "removed" ? "removed" : "changed";
	return `${capitalise(toTitle(pet))} was ${what} by somebody else.`;
}

/** The members that the second has otherwise. The others are not sent, so that a change of them by somebody else stays. */
export function toDifference(one: Pet, other: NewPet): Partial<NewPet> {
	return {
		...(one.name !== other.name && { name: other.name }),
		...(one.categoryId !== other.categoryId && {
			categoryId: other.categoryId,
		}),
		...(one.status !== other.status && { status: other.status }),
	};
}
