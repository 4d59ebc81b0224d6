// Categories: what every engine must do with them.
import { expect, test } from "bun:test";
import { maxInt64, minInt64 } from "../../src/domain/types/json.ts";
import { toPet } from "../harness/pet.ts";
import { onEachEngine } from "./engines.ts";

onEachEngine((stores) => {
	const { categories, other } = {
		categories: () => stores().store.categories,
		other: () => stores().other.categories,
	};
	const all = () => categories().list(minInt64, 100);
	const set = (id: bigint, name: string) => categories().set(id, name);
	const removeAll = async () => {
		for (const { id } of await all()) await categories().remove(id);
	};

	test("names, renames and removes categories, with any id", async () => {
		expect(await all()).toEqual([]);
		const named = [
			{ id: minInt64, name: "First", pets: 0n },
			{ id: 0n, name: "Zero", pets: 0n },
			{ id: maxInt64, name: "\u{1f600}'\"\\e\u0301", pets: 0n },
		];
		for (const { id, name } of named.toReversed())
			expect(await set(id, name)).toMatchObject({ id, name });
		expect(await other().list(minInt64, 100)).toEqual(named);
		await other().set(0n, "ZERO");
		expect(await categories().list(0n, 1)).toEqual([
			{ id: 0n, name: "ZERO", pets: 0n },
		]);
		for (const { id } of named) {
			expect(await categories().remove(id)).toBe(true);
			expect(await other().remove(id)).toBe(false);
		}
		expect(await all()).toEqual([]);
	});

	test("refuses a taken name in upper or lower case, in any script, and with either form of accents", async () => {
		const names = ["Dogs", "ÉCLAIR", "ЖУЧКА", "100%_", "ΣΚΥΛΟΣ"];
		for (const [index, name] of names.entries()) await set(BigInt(index), name);
		const before = await all();
		for (const [name, taken] of [
			...[["dogs", 0n] as const, ["DOGS", 0n] as const],
			...[["e\u0301clair", 1n] as const, ["жучка", 2n] as const],
			...[["σκυλος", 4n] as const, ["σκυλοσ", 4n] as const],
		])
			for (const id of [9n, -9n])
				await expect(set(id, name)).rejects.toMatchObject({
					code: "conflict",
					message: expect.stringContaining(`Category ${taken} `),
				});
		expect(await all()).toEqual(before);
		await categories().remove(0n);
		await set(9n, "dogs");
		await removeAll();
	});

	test("gives a name to one of twenty requests for it at the same time", async () => {
		const outcomes = await Promise.allSettled(
			Array.from({ length: 20 }, (_, index) =>
				(index % 2 === 0 ? categories() : other()).add(
					index % 3 === 0 ? "Cats" : "CATS",
				),
			),
		);
		const named = outcomes.filter(({ status }) => status === "fulfilled");
		expect(named).toHaveLength(1);
		expect(await all()).toHaveLength(1);
		await removeAll();
	});

	test("makes a category under an id from 1 without a name and animals: the lowest one, if the others follow each other", async () => {
		const { catalogue } = stores().store;
		const ids: bigint[] = [];
		for (const [index, categoryId] of [-1n, 2n, 2n, 4n].entries()) {
			await catalogue.addPet({ pet: toPet({ categoryId }) });
			await set(5n, `Birds ${index}`);
		}
		for (const name of ["a", "b", "c"])
			ids.push((await categories().add(name)).id);
		expect(ids).toEqual([1n, 6n, 7n]);
		expect(await categories().list(-1n, 4)).toEqual([
			{ id: -1n, name: undefined, pets: 1n },
			{ id: 1n, name: "a", pets: 0n },
			{ id: 2n, name: undefined, pets: 2n },
			{ id: 4n, name: undefined, pets: 1n },
		]);
		await catalogue.changePets(
			[1n, 2n, 3n, 4n].map((petId) => ({ petId, set: undefined })),
		);
		expect(await categories().list(2n, 1)).toMatchObject([{ id: 5n }]);
		expect(await categories().add("d")).toMatchObject({ id: 2n });
	});
});
