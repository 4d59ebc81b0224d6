// Changing and removing animals: what every engine must do.
import { expect, test } from "bun:test";
import type { GivenPet, NumberedPet } from "../../src/domain/pet/pet.ts";
import { maxInt64, minInt64 } from "../../src/domain/types/json.ts";
import {
	toCondition,
	toPetTag,
	toVersionCondition,
} from "../../src/domain/version.ts";
import type { Catalogue } from "../../src/store/animals/catalogue.ts";
import type { PetChange } from "../../src/store/animals/change.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { newDatabase, onEachEngine } from "./engines.ts";

const sold = { status: "sold" } as const;

onEachEngine((stores) => {
	const catalogue = () => stores().store.catalogue;
	const other = () => stores().other.catalogue;

	test("replaces the members that a change names, and shows them to every process at once", async () => {
		const pet = await add(catalogue());
		const page = { limit: 5, maxId: pet.id, status: undefined } as const;
		const changes: Partial<GivenPet>[] = [
			{ name: "Rexina" },
			{ categoryId: minInt64 },
			{ status: "pending" },
			{ name: "", categoryId: maxInt64, status: "sold" },
			{},
		];
		let expected: NumberedPet = pet;
		for (const set of changes) {
			expected = { ...expected, ...set };
			expect(await change(catalogue(), { petId: pet.id, set })).toMatchObject({
				outcome: "changed",
				pets: [expected],
			});
			for (const any of [catalogue(), other()]) {
				expect(await any.getPet(pet.id)).toMatchObject(expected);
				expect((await any.listPets(page))[0]).toMatchObject(expected);
			}
		}
	});

	test("removes an animal in every process, and neither removes nor changes it again", async () => {
		const { id } = await add(catalogue());
		const page = { limit: 1, maxId: id, status: undefined };
		const removal = { petId: id, set: undefined };
		expect(await change(catalogue(), removal)).toMatchObject({
			outcome: "changed",
			pets: [undefined],
		});
		for (const any of [catalogue(), other()]) {
			expect(await any.getPet(id)).toBeUndefined();
			expect((await any.listPets(page))[0]?.id).not.toBe(id);
			for (const again of [removal, { petId: id, set: sold }])
				expect(await change(any, again)).toEqual({
					outcome: "missing",
					index: 0,
				});
		}
	});

	test("never assigns the id of a removed animal again, even of the newest one after the database was reopened", async () => {
		const { url, remove } = await newDatabase(stores().engine);
		const ids: bigint[] = [];
		for (let round = 0; round < 3; round++) {
			const store = await openStore(url, { access: "create" });
			for (let count = 0; count < 2; count++) {
				const { id } = await add(store.catalogue);
				await change(store.catalogue, { petId: id, set: undefined });
				ids.push(id);
			}
			await store.close();
		}
		// Each removal takes a number too, as its position in the feed.
		expect(ids).toEqual([1n, 3n, 5n, 7n, 9n, 11n]);
		await remove();
	});

	test("does not change an animal that has another version", async () => {
		const pet = await add(catalogue());
		const petId = pet.id;
		const { epoch = "" } = (await catalogue().getPet(petId)) ?? {};
		const others = [
			...[",,", toVersionCondition(petId + 1n), toVersionCondition(-petId)],
			...[petId + 1n, petId - 1n].map((one) =>
				toCondition(toPetTag(epoch, one)),
			),
			toVersionCondition(petId - 1n),
			toCondition(`${toPetTag(`${epoch}0`, petId)}, ${toPetTag("", petId)}`),
		];
		for (const condition of others)
			for (const set of [sold, {}, undefined])
				expect(
					await change(catalogue(), { petId, set, condition }),
				).toMatchObject({
					outcome: "differs",
					index: 0,
					pet: { ...pet, epoch, version: petId },
				});
		expect(await catalogue().getPet(petId)).toMatchObject(pet);
		const condition = toVersionCondition(petId);
		expect(
			await change(catalogue(), { petId: maxInt64, set: sold, condition }),
		).toEqual({ outcome: "missing", index: 0 });
		expect(
			await change(catalogue(), { petId, set: sold, condition }),
		).toMatchObject({ outcome: "changed" });
	});

	test("does none of the changes of a call if one of them fails", async () => {
		const first = await add(catalogue());
		const second = await add(catalogue());
		const third = await add(catalogue());
		const changes = (middle: PetChange) => [
			{ petId: first.id, set: undefined },
			{ petId: second.id, set: { name: "Changed" } },
			middle,
			{ petId: third.id, set: undefined },
		];
		expect(
			await catalogue().changePets(changes({ petId: 0n, set: sold })),
		).toEqual({ outcome: "missing", index: 2 });
		const condition = toVersionCondition(first.id);
		expect(
			await catalogue().changePets(
				changes({ petId: third.id, set: sold, condition }),
			),
		).toMatchObject({ outcome: "differs", index: 2, pet: third });
		for (const pet of [first, second, third])
			expect(await other().getPet(pet.id)).toMatchObject(pet);
		// Nothing has taken a number, so nothing is in the feed.
		expect(await add(catalogue())).toMatchObject({ id: third.id + 1n });
	});

	test("does several changes of one animal in their order, and gives it one version", async () => {
		const { id: petId } = await add(catalogue());
		const changed = await catalogue().changePets([
			{ petId, set: { name: "Renamed" } },
			{ petId, set: { name: "Again", categoryId: 7n } },
			{ petId, set: sold },
		]);
		const pet = await other().getPet(petId);
		const version = petId + 1n;
		const after = { id: petId, name: "Again", categoryId: 7n, ...sold };
		expect(pet).toMatchObject({ ...after, version });
		expect(changed).toMatchObject({
			outcome: "changed",
			pets: [pet, pet, pet],
		});
	});

	test("compares the conditions of a call with the animals before all of its changes", async () => {
		const { id: petId } = await add(catalogue());
		const condition = toVersionCondition(petId);
		const changes = [
			{ petId, set: { name: "Renamed" }, condition },
			{ petId, set: sold, condition },
			{ petId, set: undefined, condition },
		];
		expect(await catalogue().changePets(changes)).toMatchObject({
			outcome: "changed",
			pets: [undefined, undefined, undefined],
		});
		expect(await catalogue().getPet(petId)).toBeUndefined();
	});

	test("does 1,000 changes at once, with the longest names", async () => {
		const pets = await addMany(catalogue(), 1_000);
		const name = "\u{1f600}".repeat(255);
		const changed = await catalogue().changePets(
			pets.map(({ id }, index) => ({
				petId: id,
				set: index % 2 === 0 ? { name: index < 100 ? name : "N" } : undefined,
			})),
		);
		expect(changed).toMatchObject({ outcome: "changed" });
		for (const [index, { id }] of pets.entries()) {
			if (index % 100 > 1) continue;
			const expected = { id, ...rex, name: index < 100 ? name : "N" };
			const found = await other().getPet(id);
			if (index % 2 === 0) expect(found).toMatchObject(expected);
			else expect(found).toBeUndefined();
		}
	});

	test("does overlapping calls of two stores completely, one after the other", async () => {
		const pets = await addMany(catalogue(), 20);
		const rounds = 12;
		const results = await Promise.all(
			Array.from({ length: rounds }, (_, round) => {
				const ordered = round % 3 === 0 ? pets.toReversed() : pets;
				return (round % 2 === 0 ? catalogue() : other()).changePets(
					ordered.map(({ id }) => ({
						petId: id,
						set: { name: `Round ${round}` },
					})),
				);
			}),
		);
		expect(results.map(({ outcome }) => outcome)).toEqual(
			Array(rounds).fill("changed"),
		);
		const names = await Promise.all(
			pets.map(async ({ id }) => (await catalogue().getPet(id))?.name),
		);
		expect(new Set(names).size).toBe(1);
	});

	test("does only one of many changes at the same time that name the same version", async () => {
		const pet = await add(catalogue());
		const results = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				change(index % 2 === 0 ? catalogue() : other(), {
					petId: pet.id,
					set: { name: `Changed by ${index}` },
					condition: toVersionCondition(pet.id),
				}),
			),
		);
		const done = results.filter(({ outcome }) => outcome === "changed");
		expect(done).toHaveLength(1);
		expect(done[0]).toMatchObject({
			pets: [await other().getPet(pet.id)],
		});
	});
});

function change(catalogue: Catalogue, one: PetChange) {
	return catalogue.changePets([one]);
}

async function add(catalogue: Catalogue): Promise<NumberedPet> {
	const added = await catalogue.addPet({ pet: rex });
	if (added.outcome === "mismatch") throw new Error("mismatch");
	return { id: added.id, ...rex };
}

function addMany(catalogue: Catalogue, count: number): Promise<NumberedPet[]> {
	return Promise.all(Array.from({ length: count }, () => add(catalogue)));
}
