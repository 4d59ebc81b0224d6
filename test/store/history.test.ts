// The history of animals: what every engine must do.
import { describe, expect, test } from "bun:test";
import type { Authored } from "../../src/domain/access/author.ts";
import type { StoredPet } from "../../src/domain/pet/pet.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import type { PetChange } from "../../src/store/animals/change.ts";
import type { HistoryEntry } from "../../src/store/history/history.ts";
import type { Store } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { add as addTo, onEachEngine } from "./engines.ts";

const sold = { status: "sold" } as const;
const ada: Authored = { by: "7:Ada", at: 5_000 };
const eve: Authored = { by: "link:Eve", at: 6_000 };

onEachEngine((stores) => {
	const store = () => stores().store;
	const other = () => stores().other;

	describe("History", () => {
		test("lists each change and removal, newest first, with author, time and the animal before and after", async () => {
			const petId = await add(store());
			const first = await get(store(), petId);
			await change(store(), { petId, set: sold }, ada);
			const second = await get(store(), petId);
			await change(other(), { petId, set: { name: "Max" } }, eve);
			const third = await get(store(), petId);
			await change(store(), { petId, set: undefined });
			const entries = await historyOf(other(), petId);
			expect(entries).toMatchObject([
				{ kind: "removed", by: "command line", before: third },
				{ kind: "changed", ...eve, before: second, pet: third },
				{ kind: "changed", ...ada, before: first, pet: second },
				{ kind: "added", at: 1_000, by: "3", pet: first },
			]);
			expect(entries[0]?.pet).toBeUndefined();
			expect(entries.map((entry) => entry.petId)).toEqual(
				entries.map(() => petId),
			);
			const all = await other().history.readAll({ ...newest, limit: 3 });
			expect(all.entries).toEqual(entries.slice(0, 3));
		});

		test("lists several changes of an animal in one call as one entry", async () => {
			const petId = await add(store());
			const sets = [sold, { name: "Max" }, { categoryId: 9n }];
			await store().catalogue.changePets(sets.map((set) => ({ petId, set })));
			expect(await historyOf(store(), petId)).toMatchObject([
				{
					before: rex,
					pet: { name: "Max", categoryId: 9n, status: "sold" },
				},
				{ kind: "added" },
			]);
		});

		test("returns pages, with the add as the last entry", async () => {
			const petId = await add(store());
			for (let round = 0; round < 5; round++)
				await change(store(), { petId, set: { name: `Rex ${round}` } });
			const whole = await historyOf(store(), petId);
			expect(whole).toHaveLength(6);
			for (const limit of [1, 2, 3, 5, 6]) {
				const read: HistoryEntry[] = [];
				let next: bigint | undefined = maxInt64 + 1n;
				while (next !== undefined) {
					const maxPosition: bigint = next - 1n;
					const page = await store().history.readOf(petId, {
						maxPosition,
						limit,
					});
					expect(page?.entries.length).toBeLessThanOrEqual(limit);
					read.push(...(page?.entries ?? []));
					next = page?.next;
				}
				expect(read).toEqual([...whole]);
			}
			const below = { maxPosition: petId - 1n, limit: 5 };
			expect(await store().history.readOf(petId, below)).toEqual({
				entries: [],
				next: undefined,
			});
		});

		test("filters by the kind, the name or the id of the author", async () => {
			const petId = await add(store());
			await change(store(), { petId, set: sold }, ada);
			await change(store(), { petId, set: { name: "Max" } }, eve);
			const find = async (text: string) => {
				const query = { ...newest, limit: 1, by: text };
				const { entries } = await other().history.readAll(query);
				return entries[0]?.by;
			};
			for (const text of ["Eve", "link"]) expect(await find(text)).toBe(eve.by);
			for (const text of ["Ada", "7", "key"])
				expect(await find(text)).toBe(ada.by);
			for (const text of ["nobody", "undefined"])
				expect(await find(text)).toBeUndefined();
		});

		test("finds no history of an animal that never existed, and an empty one after its entries were deleted", async () => {
			expect(await store().history.readOf(maxInt64, newest)).toBeUndefined();
			const petId = await add(store());
			await change(store(), { petId, set: sold }, ada);
			await change(store(), { petId, set: undefined }, eve);
			const cleanUp = (now: number) => other().cleanUp(now, 0);
			await cleanUp(eve.at);
			expect(await historyOf(store(), petId)).toMatchObject([
				{ kind: "removed", before: { status: "sold" } },
				// What it was at first is not known any more.
				{ kind: "added", pet: undefined },
			]);
			await cleanUp(eve.at + 1);
			expect(await historyOf(store(), petId)).toEqual([]);
		});
	});

	describe("Way back", () => {
		test("puts a removed animal back with its id, its add and a new version, in feed and history", async () => {
			const petId = await add(store());
			const before = await get(store(), petId);
			await change(store(), { petId, set: undefined });
			const { name, categoryId, status } = before;
			const set = { name, categoryId, status };
			const putBack = { petId, set, putBack: before };
			const changed = await other().catalogue.changePets([putBack], ada);
			const pet = await get(store(), petId);
			expect(changed).toMatchObject({ outcome: "changed", pets: [pet] });
			expect(pet).toEqual({ ...before, version: petId + 2n });
			expect(await historyOf(store(), petId)).toMatchObject([
				{ kind: "added", ...ada, before: undefined, pet },
				{ kind: "removed", before },
				{ kind: "added", pet: before },
			]);
			const { feed } = store();
			const { epoch = "" } = (await store().catalogue.getPet(petId)) ?? {};
			const position = BigInt(epoch) + pet.version;
			// On PostgreSQL, other transactions may be open.
			while ((await feed.last()) < position) await Bun.sleep(5);
			const after = position - 1n;
			expect(await feed.read({ after, limit: 1 })).toMatchObject({
				entries: [{ position, kind: "added", pet }],
			});
			// Now it exists, so it is a change of nothing.
			const again = await store().catalogue.changePets([putBack]);
			const totals = { added: 0, changed: 0, removed: 0 };
			const pets = [expect.any(Object)];
			expect(again).toEqual({ outcome: "changed", pets, totals });
		});

		test("puts an animal back once when two processes do it at the same time", async () => {
			for (let round = 0; round < 10; round++) {
				const petId = await add(store());
				const putBack = await get(store(), petId);
				await change(store(), { petId, set: undefined });
				const results = await Promise.all(
					[store(), other(), store(), other()].map(({ catalogue }) =>
						catalogue.changePets([{ petId, set: rex, putBack }]),
					),
				);
				const pet = await get(store(), petId);
				for (const result of results)
					expect(result).toMatchObject({ outcome: "changed", pets: [pet] });
				expect(await historyOf(store(), petId)).toHaveLength(3);
			}
		});
	});
});

const newest = { maxPosition: maxInt64, limit: 100 };

const add = (store: Store) => addTo(store, { origin: { at: 1_000, by: "3" } });

async function get({ catalogue }: Store, id: bigint): Promise<StoredPet> {
	const found = await catalogue.getPet(id);
	if (found === undefined) throw new Error("no animal");
	const { epoch: _, ...pet } = found;
	return pet;
}

async function change(
	{ catalogue }: Store,
	asked: PetChange,
	authored?: Authored,
): Promise<void> {
	await catalogue.changePets([asked], authored);
}

async function historyOf(
	{ history }: Store,
	petId: bigint,
): Promise<readonly HistoryEntry[]> {
	const page = await history.readOf(petId, newest);
	expect(page?.next).toBeUndefined();
	return page?.entries ?? [];
}
