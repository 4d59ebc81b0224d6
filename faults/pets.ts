// Fills a database with animals, and reads its animals at one moment.
import type { PetFilter } from "../src/domain/pet/filter.ts";
import type { GivenPet, StoredPet } from "../src/domain/pet/pet.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { toPet } from "../test/harness/pet.ts";

/** Of animals that only a scenario itself changes, and no other client. */
export const ownCategory = 1_000_000_000_000n;

/** Creates the database with this number of equal animals, whose ids begin with 1. */
export async function createFilled(
	databaseUrl: string,
	count: number,
	pet: Partial<GivenPet> = {},
): Promise<Store> {
	const store = await openStore(databaseUrl, { access: "create" });
	await store.archive.fill(
		Array.from({ length: count }, (_, index) =>
			toPet({ ...pet, id: BigInt(index + 1) }),
		),
	);
	return store;
}

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
