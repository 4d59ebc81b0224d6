// The archive of a store: it reads everything from one database and writes it into another, while the store is in use.
import { describe, expect, test } from "bun:test";
import type { Part } from "../../src/store/archive/archive.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { engines, newDatabase, onEachEngine } from "./engines.ts";

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

onEachEngine((stores) => {
	test("reads everything as it was when the reading began, while the store stays in use", async () => {
		const { store, other } = stores();
		for (let count = 0; count < 3; count++)
			await store.catalogue.addPet({ pet: rex });
		const { record } = makeKey();
		const { id } = await store.keys.add(record);
		const before = await readParts(store);

		const parts = store.archive.read()[Symbol.asyncIterator]();
		const read = [await parts.next()];
		for (const any of [store, other]) {
			const added = await any.catalogue.addPet({ pet: rex });
			expect(added.outcome).toBe("added");
		}
		await other.keys.revoke(id, 1_000);
		expect(await store.keys.find(record.hash)).toMatchObject({
			revokedAt: 1_000,
		});
		const page = { limit: 10, maxId: 2n ** 63n - 1n, status: undefined };
		expect(await store.catalogue.listPets(page)).toHaveLength(5);
		while (!read.at(-1)?.done) read.push(await parts.next());
		expect(read.flatMap(({ value }) => (value ? [value] : []))).toEqual(before);
	});

	test("adds an animal after a reading that was stopped early", async () => {
		const { store } = stores();
		for await (const part of store.archive.read())
			if (part.kind === "epoch") break;
		const added = await store.catalogue.addPet({ pet: rex });
		expect(added.outcome).toBe("added");
	});

	test("refuses to write into a database that is not empty, and does not change it", async () => {
		const { store } = stores();
		await store.catalogue.addPet({ pet: rex });
		const before = await readParts(store);
		await expect(store.archive.write(toStream(before))).rejects.toThrow(
			"The target holds or held animals, keys or names of categories.",
		);
		expect(await readParts(store)).toEqual(before);
	});
});

describe.each(engines)("%s", (engine) => {
	test("writes the first animals beside keys, and only once", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		const key = await store.keys.add(makeKey().record);
		const parts: Part[] = [
			{ kind: "epoch", lastId: 2n },
			{ kind: "pets", rows: [{ id: 1n, ...rex }] },
			{ kind: "pets", rows: [{ id: 2n, ...rex }] },
		];
		expect(await store.archive.writeFirstPets(toStream(parts))).toBe(true);
		expect(await store.archive.writeFirstPets(toStream(parts))).toBe(false);
		const { outcome } = await store.catalogue.addPet({ pet: rex });
		expect(outcome).toBe("added");
		const written = await readParts(store);
		expect(written[0]).toMatchObject({ kind: "epoch", lastId: 3n });
		expect(written).toContainEqual({ kind: "keys", rows: [{ ...key }] });
		await store.close();
		await remove();
	});

	test("replaces the sessions of a service without animals and keys", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		await store.sessions.addLink({ hash: "l", expiresAt: Date.now() + 1_000 });
		await store.sessions.add({
			hash: "s",
			keyHash: undefined,
			createdAt: Date.now(),
		});
		const parts = await readParts(store);
		await store.archive.write(toStream(parts));
		expect(await store.sessions.find("s")).toBeUndefined();
		expect(await store.sessions.useLink("l", Date.now())).toBeUndefined();
		await store.close();
		await remove();
	});

	test("writes all parts or nothing", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		const parts: Part[] = [
			{ kind: "epoch", lastId: 7n },
			{ kind: "pets", rows: [{ id: 3n, ...rex }] },
		];
		const failing = async function* (): AsyncGenerator<Part> {
			yield* parts;
			throw new Error("the source is gone");
		};
		await expect(store.archive.write(failing())).rejects.toThrow("gone");
		expect(await readRows(store)).toEqual([]);
		await store.archive.write(toStream(parts));
		expect(await store.catalogue.getPet(3n)).toMatchObject({ id: 3n, ...rex });
		expect(await store.catalogue.addPet({ pet: rex })).toEqual({
			outcome: "added",
			id: 8n,
		});
		await store.close();
		await remove();
	});
});

test("reads a database in memory as it was when the reading began", async () => {
	const store = await openStore("sqlite::memory:", { create: true });
	await store.catalogue.addPet({ pet: rex });
	const parts = store.archive.read()[Symbol.asyncIterator]();
	await parts.next();
	await store.catalogue.addPet({ pet: rex });
	const rest: Part[] = [];
	for (let next = await parts.next(); !next.done; next = await parts.next())
		rest.push(next.value);
	const pets = rest.flatMap((part) => (part.kind === "pets" ? part.rows : []));
	expect(pets).toMatchObject([{ id: 1n, ...rex }]);
	await store.close();
});

test("adds animals on SQLite without waiting for a reading", async () => {
	const { url, remove } = temporaryDatabase();
	const store = await openStore(url, { create: true });
	for (let thousand = 0; thousand < 3; thousand++)
		await Promise.all(
			Array.from({ length: 1_000 }, () => store.catalogue.addPet({ pet: rex })),
		);
	let counted = 0;
	for await (const part of store.archive.read()) {
		if (part.kind === "pets") counted += part.rows.length;
		const { outcome } = await store.catalogue.addPet({ pet: rex });
		expect(outcome).toBe("added");
	}
	expect(counted).toBe(3_000);
	await store.close();
	remove();
});

async function* toStream(parts: readonly Part[]): AsyncGenerator<Part> {
	yield* parts;
}

async function readParts(store: Store): Promise<Part[]> {
	const parts: Part[] = [];
	for await (const part of store.archive.read()) parts.push(part);
	return parts;
}

async function readRows(store: Store): Promise<unknown[]> {
	return (await readParts(store)).flatMap((part): readonly unknown[] =>
		"rows" in part ? part.rows : [],
	);
}
