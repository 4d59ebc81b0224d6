// Reads the animals of a database at one moment.
import type { PetFilter } from "../../src/domain/filter.ts";
import type { StoredPet } from "../../src/domain/pet.ts";
import type { Store } from "../../src/store/store.ts";

export async function readPets(
	{ openSnapshot }: Store,
	filter: PetFilter = {},
): Promise<StoredPet[]> {
	const snapshot = await openSnapshot(filter);
	const pets: StoredPet[] = [];
	for (
		let page = await snapshot.next(1_000);
		page !== undefined;
		page = await snapshot.next(1_000)
	)
		pets.push(...page);
	await snapshot.close();
	return pets;
}
