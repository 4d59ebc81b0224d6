// The names of categories: what every engine must do with them.
import { expect, test } from "bun:test";
import { maxInt64, minInt64 } from "../../src/domain/json.ts";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { newDatabase, onEachEngine } from "./engines.ts";

onEachEngine((stores) => {
	const { categories, other } = {
		categories: () => stores().store.categories,
		other: () => stores().other.categories,
	};

	test("names, renames and removes categories, with any id", async () => {
		expect(await categories().list()).toEqual([]);
		const all = [
			{ id: minInt64, name: "First" },
			{ id: 0n, name: "Zero" },
			{ id: maxInt64, name: "\u{1f600}'\"\\e\u0301" },
		];
		for (const category of all.toReversed())
			expect(await categories().set(category)).toBe("set");
		expect(await other().list()).toEqual(all);
		expect(await other().set({ id: 0n, name: "ZERO" })).toBe("set");
		expect((await categories().list())[1]).toEqual({ id: 0n, name: "ZERO" });
		for (const { id } of all) {
			expect(await categories().remove(id)).toBe(true);
			expect(await other().remove(id)).toBe(false);
		}
		expect(await categories().list()).toEqual([]);
	});

	test("refuses a taken name in upper or lower case, in any script, and with either form of accents", async () => {
		const names = ["Dogs", "ÉCLAIR", "ЖУЧКА", "100%_", "ΣΚΥΛΟΣ"];
		for (const [index, name] of names.entries())
			expect(await categories().set({ id: BigInt(index), name })).toBe("set");
		const before = await categories().list();
		for (const name of [
			...["dogs", "DOGS", "e\u0301clair", "жучка", "100%_"],
			...["σκυλος", "σκυλοσ"],
		])
			for (const id of [9n, -9n])
				expect(await categories().set({ id, name })).toBe("taken");
		expect(await categories().set({ id: 0n, name: "éclair" })).toBe("taken");
		expect(await categories().list()).toEqual(before);
		await categories().remove(0n);
		expect(await categories().set({ id: 9n, name: "dogs" })).toBe("set");
		for (const { id } of await categories().list())
			await categories().remove(id);
	});

	test("gives a name to one of twenty requests for it at the same time", async () => {
		const outcomes = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				(index % 2 === 0 ? categories() : other()).set({
					id: BigInt(index),
					name: index % 3 === 0 ? "Cats" : "CATS",
				}),
			),
		);
		expect(outcomes.filter((outcome) => outcome === "set")).toHaveLength(1);
		expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(19);
		expect(await categories().list()).toHaveLength(1);
	});

	test("keeps names in a backup and a restore, and does not take a database with names as empty", async () => {
		const { url, remove } = await newDatabase(stores().engine);
		const store = await openStore(url, { create: true });
		const named = [{ id: minInt64, name: "Dogs" }];
		for (const category of named) await store.categories.set(category);
		const reader = await openStoreReader(url);
		expect(await reader.categories.list()).toEqual(named);
		expect(await reader.check()).toMatchObject({ findings: [] });
		await expect(store.archive.write(reader.archive.read())).rejects.toThrow(
			"The target holds or held animals, keys",
		);
		const copy = await newDatabase(stores().engine);
		const target = await openStore(copy.url, { create: true });
		await target.archive.write(reader.archive.read());
		expect(await target.categories.list()).toEqual(named);
		expect(await target.categories.set({ id: 1n, name: "DOGS" })).toBe("taken");
		await target.categories.set({ id: 1n, name: "Cats" });
		await target.archive.replace(reader.archive.read());
		expect(await target.categories.list()).toEqual(named);
		for (const one of [reader, store, target]) await one.close();
		for (const one of [remove, copy.remove]) await one();
	});
});
