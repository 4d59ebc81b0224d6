// The example of a search index follows a real service, and finds exactly its animals.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { followStore } from "../../examples/search-index.ts";
import { toPet } from "../harness/pet.ts";
import { waitFor } from "../harness/process.ts";
import { openService, type Service } from "../service.ts";

let service: Service;
let key: string;
beforeAll(async () => {
	service = await openService("over a socket");
	key = await service.makeKey();
});
afterAll(() => service.close());

async function add(name: string): Promise<bigint> {
	const added = await service.store.catalogue.addPet({
		pet: toPet({ name }),
	});
	return added.outcome === "mismatch" ? 0n : added.id;
}

test("finds existing, added and changed animals, and no removed ones", async () => {
	const { changePets } = service.store.catalogue;
	const early = await add("Old Rex");
	const controller = new AbortController();
	const { signal } = controller;
	const index = followStore(service.url, key, signal);
	const findsOnly = (word: string, ids: readonly bigint[]) =>
		waitFor(
			() => index.find(word).join() === ids.join(),
			() => `${word} is found in ${index.find(word)}`,
		);
	await findsOnly("rex", [early]);
	const late = await add("New Rex");
	await findsOnly("rex", [early, late]);
	await changePets([{ petId: early, set: { name: "Old Max" } }]);
	await findsOnly("rex", [late]);
	await findsOnly("max", [early]);
	await changePets([{ petId: late, set: undefined }]);
	await findsOnly("rex", []);
	expect(index.position()).toBe(await service.store.feed.last());
	controller.abort(new Error("enough"));
	await expect(index.followed).rejects.toThrow("enough");
});
