// The names of categories: what every engine must do with them.
import { expect, test } from "bun:test";
import { maxInt64, minInt64 } from "../../src/domain/json.ts";
import { onEachEngine } from "./engines.ts";

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
});
