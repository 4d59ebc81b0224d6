// The version of an animal, its ETag, and when and by whom it was added: what every engine must do.
import { describe, expect, test } from "bun:test";
import {
	toCondition,
	toPetTag,
	toVersionCondition,
} from "../../src/domain/version.ts";
import { toDemoPets } from "../../src/sandbox/demo-animals.ts";
import type { PetOrigin } from "../../src/store/adds.ts";
import type { Catalogue } from "../../src/store/catalogue.ts";
import type { FoundPet } from "../../src/store/changes.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { backUp, restore } from "../harness/backup.ts";
import { rex } from "../harness/pet.ts";
import {
	type Engine,
	engines,
	importLines,
	newDatabase,
	onEachEngine,
} from "./engines.ts";

const sold = { status: "sold" } as const;

onEachEngine((stores) => {
	const catalogue = () => stores().store.catalogue;
	const other = () => stores().other.catalogue;

	describe("Version of an animal", () => {
		test("starts at the id, and rises with each change, in every process", async () => {
			const { id: petId } = await add(catalogue());
			expect(await other().getPet(petId)).toMatchObject({ version: petId });
			let last = petId;
			for (const [index, any] of [
				catalogue(),
				other(),
				catalogue(),
			].entries()) {
				const set = { name: `Rex ${index}` };
				const changed = await any.changePets([{ petId, set }]);
				const pet = await get(other(), petId);
				expect(changed).toMatchObject({ outcome: "changed", pets: [pet] });
				expect(pet.version).toBeGreaterThan(last);
				expect(await catalogue().getPet(petId)).toEqual(pet);
				last = pet.version;
			}
			expect((await add(other())).id).toBeGreaterThan(last);
		});

		test("stays the same, without an entry in the feed, if a change changes nothing", async () => {
			const { id: petId } = await add(catalogue());
			await catalogue().changePets([{ petId, set: sold }]);
			const before = await get(catalogue(), petId);
			for (const sets of [
				[{}],
				[sold],
				[{ ...rex, ...sold }],
				[{ name: "Max" }, { name: "Rex" }],
			]) {
				const changed = await other().changePets(
					sets.map((set) => ({ petId, set })),
				);
				expect(changed).toEqual({
					outcome: "changed",
					pets: sets.map(() => before),
				});
			}
			expect(await get(catalogue(), petId)).toEqual(before);
			// Nothing has taken a number, so nothing is in the feed.
			const { id } = await add(catalogue());
			expect(id).toBe(before.version + 1n);
		});

		test("stays the same for an unchanged animal of a call, and is a new one for each other animal", async () => {
			const pets = [await add(catalogue()), await add(catalogue())];
			const third = await add(catalogue());
			const changed = await catalogue().changePets([
				...pets.map(({ id }) => ({ petId: id, set: sold })),
				{ petId: third.id, set: rex },
			]);
			if (changed.outcome !== "changed") throw new Error(changed.outcome);
			const [one, two, three] = changed.pets.map((pet) => pet?.version ?? 0n);
			expect(three).toBe(third.id);
			expect(new Set([one, two]).size).toBe(2);
			for (const version of [one, two])
				expect(version).toBeGreaterThan(third.id);
		});

		test("appears in the feed, and gives the position of a change", async () => {
			const { id: petId } = await add(catalogue());
			await catalogue().changePets([{ petId, set: sold }]);
			const pet = await get(catalogue(), petId);
			const { epoch, ...stored } = pet;
			const { feed } = stores().store;
			const after = BigInt(epoch) + petId;
			const query = { after, limit: 9 };
			// On PostgreSQL, other transactions may be open.
			while ((await feed.last()) < BigInt(epoch) + pet.version)
				await Bun.sleep(5);
			expect(await feed.read(query)).toMatchObject({
				entries: [{ position: BigInt(epoch) + pet.version, pet: stored }],
			});
		});

		test("appears in a list, with the time and the key of the add", async () => {
			const { id } = await add(catalogue(), { at: 5_000, by: "7" });
			const [listed] = await (async () => {
				const page = { limit: 1, maxId: id, status: undefined };
				const found = await other().listPets(page);
				return "bytes" in found ? [] : found;
			})();
			expect(listed).toMatchObject({
				version: id,
				addedAt: 5_000n,
				addedBy: "7",
			});
		});
	});

	describe("If-Match", () => {
		test("accepts each ETag of a list, and no part or neighbour of one", async () => {
			const { id: petId } = await add(catalogue());
			const { epoch, version } = await get(catalogue(), petId);
			const change = async (tags: readonly string[]) => {
				const condition = toCondition(tags.join());
				const change = { petId, set: {}, condition };
				return (await other().changePets([change])).outcome;
			};
			const tag = toPetTag(epoch, version);
			const others = [
				...[`"${version}"`, `"${epoch}"`, `"-${version}"`, `"${epoch}-"`, '""'],
				toPetTag(epoch, version * 10n),
				toPetTag(epoch.slice(1), version),
				toPetTag(`1${epoch}`, version),
				`"${epoch}-0${version}"`,
				`"1-1,${epoch}-${version}"`,
				`",${version},"`,
			];
			expect(await change(others)).toBe("differs");
			for (const list of [
				[tag],
				[...others, tag],
				[tag, ...others],
				[tag, tag],
			])
				expect(await change(list)).toBe("changed");
			// A weak tag never matches, so this names none.
			expect(await change([`W/${tag}`])).toBe("differs");
		});

		test("refuses an older ETag or version, even in another process", async () => {
			const { id: petId } = await add(catalogue());
			const { epoch } = await get(catalogue(), petId);
			await catalogue().changePets([{ petId, set: sold }]);
			await other().changePets([{ petId, set: rex }]);
			const pet = await get(other(), petId);
			for (const condition of [
				toVersionCondition(petId),
				toVersionCondition(petId + 1n),
				toCondition(
					`${toPetTag(epoch, petId)}, ${toPetTag(epoch, petId + 1n)}`,
				),
			])
				for (const set of [sold, {}, undefined])
					expect(await other().changePets([{ petId, set, condition }])).toEqual(
						{ outcome: "differs", index: 0, pet },
					);
		});
	});
});

describe.each(engines)("%s", (engine) => {
	describe("ETag of an animal", () => {
		test("changes with a restore, although version and content stay the same", async () => {
			await withStores(engine, async (store) => {
				const tags = new Set<string>();
				const { id } = await add(store.catalogue);
				await store.catalogue.changePets([{ petId: id, set: sold }]);
				const first = await get(store.catalogue, id);
				const backup = await backUp(store);
				for (let round = 0; round < 4; round++) {
					const pet = await get(store.catalogue, id);
					expect({ ...pet, epoch: "" }).toEqual({ ...first, epoch: "" });
					tags.add(toPetTag(pet.epoch, pet.version));
					await restore(store, backup.path, { replace: true });
				}
				backup.remove();
				expect(tags.size).toBe(4);
			});
		});

		test("differs between databases with the same content", async () => {
			const epochs = new Set<string>();
			await withStores(engine, async (source) => {
				const { id } = await add(source.catalogue);
				epochs.add((await get(source.catalogue, id)).epoch);
				const backup = await backUp(source);
				for (let copy = 0; copy < 2; copy++)
					await withStores(engine, async (target) => {
						await restore(target, backup.path);
						epochs.add((await get(target.catalogue, id)).epoch);
					});
				backup.remove();
			});
			await withStores(engine, async (another) => {
				const { id } = await add(another.catalogue);
				epochs.add((await get(another.catalogue, id)).epoch);
			});
			expect(epochs.size).toBe(4);
		});
	});

	describe("Version of an animal", () => {
		test.each(engines)(
			"copies versions, times and keys into %s, and goes on above them",
			async (target) => {
				await withStores(engine, async (source) => {
					const { catalogue } = source;
					const known = await add(catalogue, { at: 1_000, by: "3" });
					const unknown = await add(catalogue, { at: 2_000, by: null });
					const removed = await add(catalogue);
					for (const status of ["sold", "pending"] as const)
						await catalogue.changePets([{ petId: known.id, set: { status } }]);
					await catalogue.changePets([{ petId: removed.id, set: undefined }]);
					await withStores(target, async (store) => {
						const backup = await backUp(source);
						await restore(store, backup.path);
						backup.remove();
						for (const { id } of [known, unknown]) {
							const { epoch: _, ...pet } = await get(catalogue, id);
							expect(await get(store.catalogue, id)).toMatchObject(pet);
						}
						expect(await get(store.catalogue, known.id)).toMatchObject({
							version: 5n,
							addedAt: 1_000n,
							addedBy: "3",
						});
						expect((await add(store.catalogue)).id).toBe(7n);
					});
				});
			},
		);

		test("backs up animals as they were when the backup began", async () => {
			await withStores(engine, async (source) => {
				const pets = [await add(source.catalogue), await add(source.catalogue)];
				const backup = await backUp(source, (table) => {
					if (table !== "pets") return;
					for (const { id } of pets)
						source.catalogue.changePets([{ petId: id, set: sold }]);
				});
				await withStores("sqlite", async (target) => {
					await restore(target, backup.path);
					for (const { id } of pets) {
						const pet = await get(target.catalogue, id);
						expect(pet).toMatchObject({ ...rex, version: id });
					}
				});
			});
		});

		test("gives imported animals the time and the author of the import", async () => {
			await withStores(engine, async (store) => {
				const begun = BigInt(Date.now());
				const { id: petId } = await add(store.catalogue);
				await store.catalogue.changePets([{ petId: 1n, set: sold }]);
				await importLines(store, [rex]);
				expect(petId).toBe(1n);
				const pet = await get(store.catalogue, 3n);
				expect(pet).toMatchObject({ version: 3n, addedBy: "command line" });
				expect(pet.addedAt).toBeGreaterThanOrEqual(begun);
				expect(pet.addedAt).toBeLessThanOrEqual(BigInt(Date.now()));
			});
		});

		test("gives demo animals no time and no key", async () => {
			await withStores(engine, async (store) => {
				await store.archive.fill(toDemoPets({ pets: 3, seed: 1 }));
				for (const id of [1n, 2n, 3n])
					expect(await get(store.catalogue, id)).toMatchObject({
						version: id,
						addedAt: null,
						addedBy: null,
					});
			});
		});

		test("answers a repeated add with the time of the first, and keeps the first origin", async () => {
			await withStores(engine, async ({ catalogue }) => {
				const idempotency = (at: number) => ({
					owner: "o",
					key: "k",
					fingerprint: "f",
					at,
				});
				const at = Date.now();
				const first = { at, by: "4" };
				await catalogue.addPet({
					pet: rex,
					idempotency: idempotency(at),
					origin: first,
				});
				const again = { at: at + 50, by: "5" };
				expect(
					await catalogue.addPet({
						pet: rex,
						idempotency: idempotency(at + 50),
						origin: again,
					}),
				).toEqual({ outcome: "replayed", id: 1n, at });
				expect(await get(catalogue, 1n)).toMatchObject({
					addedAt: BigInt(at),
					addedBy: "4",
				});
			});
		});
	});
});

async function add(
	catalogue: Catalogue,
	origin?: PetOrigin,
): Promise<{ id: bigint }> {
	const added = await catalogue.addPet({ pet: rex, origin });
	if (added.outcome === "mismatch") throw new Error("mismatch");
	return { id: added.id };
}

async function get(catalogue: Catalogue, id: bigint): Promise<FoundPet> {
	const pet = await catalogue.getPet(id);
	if (pet === undefined) throw new Error(`There is no animal ${id}.`);
	return pet;
}

async function withStores(
	engine: Engine,
	work: (store: Store, url: string) => Promise<void>,
): Promise<void> {
	const { url, remove } = await newDatabase(engine);
	const store = await openStore(url, { access: "create" });
	try {
		await work(store, url);
	} finally {
		await store.close();
		await remove();
	}
}
