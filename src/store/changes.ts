// What changes do to animals, whatever the engine.
import { isSamePet, type Pet } from "../contract/pet.ts";
import type { Changed, ChangeRefused, PetChange } from "./catalogue.ts";

/**
 * `read` returns an animal as it was before all changes. A later change of the same animal sees what the ones before it have done.
 * Writes nothing.
 */
export function applyChanges(
	changes: readonly PetChange[],
	read: (petId: bigint) => Pet | undefined,
): Changed {
	const current = new Map<bigint, Pet | undefined>();
	const pets: (Pet | undefined)[] = [];
	for (const [index, change] of changes.entries()) {
		const { petId, set } = change;
		const pet = current.has(petId) ? current.get(petId) : read(petId);
		const refusal = findRefusal(pet, change);
		if (refusal !== undefined) return { outcome: refusal, index };
		const changed = pet && set && { ...pet, ...set };
		current.set(petId, changed);
		pets.push(changed);
	}
	return { outcome: "changed", pets };
}

function findRefusal(
	pet: Pet | undefined,
	{ expected }: PetChange,
): ChangeRefused["outcome"] | undefined {
	if (pet === undefined) return "missing";
	return expected === undefined || isSamePet(pet, expected)
		? undefined
		: "differs";
}
