// Makes animals for tests. A field without a fallback needs a value here, and nowhere else.
import { type GivenPet, toWhole } from "../../src/domain/pet/pet.ts";

/** An animal with these members, and any values for the others. */
export function toPet<Also extends object>(
	given: Partial<GivenPet> & Also,
): GivenPet & Also {
	return toWhole({ name: "Rex", categoryId: 1n, ...given });
}

export const rex = toPet({});
