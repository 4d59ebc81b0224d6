// What a store says about its database: how many animals it has, and what it is.
import { expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/json.ts";
import { petStatuses } from "../../src/domain/pet.ts";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { newDatabase, onEachEngine } from "./engines.ts";

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

onEachEngine((stores) => {
	test("counts the animals of a status, or all, in steps that begin after the last counted animal", async () => {
		const { store, other } = stores();
		for (let count = 0; count < 9; count++)
			await store.catalogue.addPet({
				pet: { ...rex, status: petStatuses[count % 3] ?? "sold" },
			});
		await store.catalogue.changePets([{ petId: 1n, set: undefined }]);
		const count = (afterId: bigint, limit: number) =>
			other.catalogue.countPets({ status: "available", afterId, limit });
		expect(await count(0n, 1)).toEqual({ count: 1, lastId: 4n });
		expect(await count(4n, 1_000)).toEqual({ count: 1, lastId: 7n });
		expect(await count(0n, 1_000)).toEqual({ count: 2, lastId: 7n });
		const all = { afterId: 2n, limit: 5 };
		expect(await other.catalogue.countPets(all)).toEqual({
			count: 5,
			lastId: 7n,
		});
		for (const afterId of [7n, maxInt64])
			expect(await count(afterId, 1_000)).toEqual({
				count: 0,
				lastId: undefined,
			});
	});

	test("counts the same animals by their categories", async () => {
		const { store, other } = stores();
		const largest = -(2n ** 63n);
		for (const categoryId of [5n, largest, 5n, 6n])
			await store.catalogue.addPet({ pet: { ...rex, categoryId } });
		const page = { limit: 4, maxId: maxInt64 };
		const first = (await other.catalogue.listPets(page)).at(-1)?.id ?? 0n;
		const count = async (limit: number, status?: "available" | "sold") => {
			const range = { status, afterId: first - 1n, limit };
			const counted = await other.catalogue.countCategories(range);
			return { ...counted, byCategory: new Map(counted.byCategory) };
		};
		const four = new Map([
			[5n, 2],
			[largest, 1],
			[6n, 1],
		]);
		for (const status of [undefined, "available"] as const)
			expect(await count(100, status)).toMatchObject({
				count: 4,
				lastId: first + 3n,
				byCategory: four,
			});
		expect(await count(1)).toMatchObject({
			count: 1,
			lastId: first,
			byCategory: new Map([[5n, 1]]),
		});
		expect(await count(100, "sold")).toEqual({
			count: 0,
			lastId: undefined,
			byCategory: new Map(),
		});
	});

	test("describes the engine, the schema and the size, also for commands that only read", async () => {
		const { url, remove } = await newDatabase(stores().engine);
		const store = await openStore(url, { create: true });
		const empty = await store.describe();
		expect(empty).toMatchObject({ engine: stores().engine });
		expect(empty.engineVersion).toMatch(/^\d+\.\d+(\.\d+)?$/);
		expect(empty.schema).toBe(1);
		const name = "x".repeat(255);
		await Promise.all(
			Array.from({ length: 6_000 }, () =>
				store.catalogue.addPet({ pet: { ...rex, name } }),
			),
		);
		const full = await store.describe();
		const grown = full.databaseBytes - empty.databaseBytes;
		expect(grown).toBeGreaterThan(1_000_000);
		expect(grown).toBeLessThan(4_000_000);
		const reader = await openStoreReader(url);
		expect(await reader.describe()).toEqual(full);
		const range = { status: "available", afterId: 0n, limit: 100 } as const;
		expect(await reader.catalogue.countPets(range)).toEqual({
			count: 100,
			lastId: 100n,
		});
		await reader.close();
		await store.close();
		await remove();
	});
});

test("describes the size of the WAL of a SQLite file, and none for a database in memory", async () => {
	const { url, remove } = await newDatabase("sqlite");
	const onDisk = await openStore(url, { create: true });
	await onDisk.catalogue.addPet({ pet: rex });
	expect((await onDisk.describe()).walBytes).toBeGreaterThan(4_096);
	await onDisk.close();
	await remove();
	const inMemory = await openStore("sqlite::memory:", { create: true });
	expect(await inMemory.describe()).not.toHaveProperty("walBytes");
	await inMemory.close();
});
