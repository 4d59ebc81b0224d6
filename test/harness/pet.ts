// Makes animals for tests. A field without a fallback needs a value here, and nowhere else.
import { type NewPet, toWhole } from "../../src/domain/pet.ts";

/** An animal with these members, and any values for the others. */
export function toPet<Also extends object>(
	given: Partial<NewPet> & Also,
): NewPet & Also {
	return toWhole({ name: "Rex", categoryId: 1n, ...given });
}

export const rex = toPet({});
