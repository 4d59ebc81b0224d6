// Puts demo animals into a database.
import { toDemoParts } from "../../src/sandbox/demo-animals.ts";
import { openStore } from "../../src/store/open.ts";

/** Creates the database if it is missing. It must never have had animals. */
export async function addDemoAnimals(url: string, pets: number): Promise<void> {
	const store = await openStore(url, { create: true });
	await store.archive.writeFirstPets(toDemoParts({ pets, seed: 1 }));
	await store.close();
}
