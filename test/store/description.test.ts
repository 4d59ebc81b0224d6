// What a store says about its database: how many animals it has, and what it is.
import { expect, test } from "bun:test";
import { schemaSteps } from "../../src/store/database/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { importLines, onEachEngine, openNewStore } from "./engines.ts";

const origin = { version: 1n, addedAt: null, addedBy: null };

onEachEngine((stores) => {
	test("counts the animals by category and status as adds, changes, removals and imports leave them", async () => {
		const { store, other } = stores();
		const [one, two] = [5n, -(2n ** 63n)];
		const set = { ...rex, categoryId: one };
		for (const categoryId of [one, two, one, one])
			await store.catalogue.addPet({ pet: { ...rex, categoryId } });
		await other.catalogue.changePets([
			{ petId: 1n, set: { status: "sold" } },
			{ petId: 2n, set: undefined },
		]);
		await store.catalogue.changePets([
			{ petId: 1n, set: { status: "pending" } },
			{ petId: 1n, set: { status: "sold" } },
			{ petId: 2n, set, putBack: { id: 2n, ...set, ...origin } },
		]);
		await importLines(store, [
			{ ...rex, categoryId: 6n },
			{ id: 3n, status: "sold" },
		]);
		for (const { catalogue } of [store, other])
			expect(
				await Promise.all(
					[one, two, 6n, undefined].map((id) => catalogue.readTotals(id)),
				),
			).toEqual([
				{ available: 2, pending: 0, sold: 2 },
				{ available: 0, pending: 0, sold: 0 },
				{ available: 1, pending: 0, sold: 0 },
				{ available: 3, pending: 0, sold: 2 },
			]);
	});

	test("describes the engine, the schema and the size, also for commands that only read", async () => {
		await using store = await openNewStore(stores().engine);
		const empty = await store.describe();
		expect(empty).toMatchObject({ engine: stores().engine });
		expect(empty.engineVersion).toMatch(/^\d+\.\d+(\.\d+)?$/);
		expect(empty.schema).toBe(schemaSteps.length + 1);
		const pet = { ...rex, name: "x".repeat(255) };
		await importLines(
			store,
			Array.from({ length: 6_000 }, () => pet),
		);
		const full = await store.describe();
		const grown = full.databaseBytes - empty.databaseBytes;
		expect(grown).toBeGreaterThan(1_000_000);
		expect(grown).toBeLessThan(8_000_000);
		const reader = await openStore(store.url, { access: "read" });
		expect(await reader.describe()).toEqual(full);
		await reader.close();
	});
});

test("describes the size of the WAL of a SQLite file, and none for a database in memory", async () => {
	await using onDisk = await openNewStore("sqlite");
	await onDisk.catalogue.addPet({ pet: rex });
	expect((await onDisk.describe()).walBytes).toBeGreaterThan(4_096);
	const inMemory = await openStore("sqlite::memory:", { access: "create" });
	expect(await inMemory.describe()).not.toHaveProperty("walBytes");
	await inMemory.close();
});
