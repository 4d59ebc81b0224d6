// Puts demo animals into a database.
import { toDemoPets } from "../../src/sandbox/demo-animals.ts";
import { openStore } from "../../src/store/store.ts";

/** Creates the database if it is missing. It must never have had animals. */
export async function addDemoAnimals(url: string, pets: number): Promise<void> {
	const store = await openStore(url, { access: "create" });
	await store.archive.fill(toDemoPets({ pets, seed: 1 }));
	await store.close();
}
