// The feed of changes: what every engine must do.
import { describe, expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/json.ts";
import { toVersionCondition } from "../../src/domain/version.ts";
import type { PetChange } from "../../src/store/changes.ts";
import type { Feed, FeedEntry, FeedPage } from "../../src/store/feed.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { backUp, restore } from "../harness/backup.ts";
import { rex } from "../harness/pet.ts";
import {
	type Engine,
	executeOn,
	newDatabase,
	onEachEngine,
} from "./engines.ts";

const sold = { status: "sold" } as const;

onEachEngine((stores) => {
	const { add, change } = actions(() => stores().store);
	const feed = () => stores().store.feed;
	const otherFeed = () => stores().other.feed;

	test("returns no entries from an empty feed, but a position to go on from", async () => {
		await withStore(stores().engine, async (store) => {
			const { feed } = store;
			const start = await read(feed, 0n);
			expect(start).toEqual({
				entries: [],
				next: expect.any(BigInt),
				more: false,
			});
			expect(start.next).toBeGreaterThanOrEqual(2n ** 32n);
			const { id } = await actions(() => store).add();
			expect(await kinds(feed, start.next)).toEqual([["added", id]]);
			expect(await kinds(feed, 0n)).toEqual([["added", id]]);
		});
	});

	describe("Changes feed: order", () => {
		test("returns adds, changes and removals in their order, in every process", async () => {
			const start = await end(feed());
			const one = await add();
			const two = await add();
			await change({ petId: one.id, set: sold });
			await change({ petId: two.id, set: undefined });
			for (const any of [feed(), otherFeed()]) {
				await waitFor(async () => (await any.last()) === (await feed().last()));
				const { entries, next, more } = await read(any, start);
				expect(entries.map(toShort)).toEqual([
					["added", one.id, "sold"],
					["changed", one.id, "sold"],
					["removed", two.id, undefined],
				]);
				expect(more).toBe(false);
				expect(next).toBe(entries.at(-1)?.position ?? 0n);
			}
		});

		test("keeps only the last change of an animal", async () => {
			const { id } = await add();
			const start = await end(feed());
			for (const name of ["a", "b", "c"])
				await change({ petId: id, set: { name } });
			const { entries } = await read(feed(), start);
			expect(entries).toMatchObject([
				{ kind: "changed", petId: id, pet: { ...rex, id, name: "c" } },
			]);
			expect(entries).toHaveLength(1);
		});

		test("gives each animal that a call changes one position", async () => {
			const pets = [await add(), await add(), await add()];
			const [one, two, three] = pets.map(({ id }) => id);
			const start = await end(feed());
			await change(
				{ petId: one ?? 0n, set: sold },
				{ petId: two ?? 0n, set: sold },
				{ petId: one ?? 0n, set: undefined },
				{ petId: three ?? 0n, set: sold },
			);
			const { entries } = await read(feed(), start);
			const found = new Map(entries.map(({ petId, kind }) => [petId, kind]));
			expect(found).toEqual(
				new Map([
					[one ?? 0n, "removed"],
					[two ?? 0n, "changed"],
					[three ?? 0n, "changed"],
				]),
			);
			expect(entries).toHaveLength(3);
			expect(new Set(entries.map(({ position }) => position)).size).toBe(3);
		});

		test("gives a refused change no position", async () => {
			const { id } = await add();
			const start = await end(feed());
			const refused = async (...changes: PetChange[]) => {
				const { catalogue } = stores().store;
				expect((await catalogue.changePets(changes)).outcome).not.toBe(
					"changed",
				);
			};
			await refused(
				{ petId: id, set: sold },
				{ petId: maxInt64, set: undefined },
			);
			await refused({
				petId: id,
				set: sold,
				condition: toVersionCondition(id + 1n),
			});
			await refused({ petId: id, set: undefined }, { petId: id, set: sold });
			expect(await kinds(feed(), start)).toEqual([]);
		});
	});

	test("never assigns the number of a position as an id", async () => {
		const { id } = await add();
		await change({ petId: id, set: sold });
		const next = await add();
		expect(next.id).toBeGreaterThan(id + 1n);
	});

	test("returns pages without a gap, and says on the last one that no more follows", async () => {
		const start = await end(feed());
		const ids: bigint[] = [];
		for (let n = 0; n < 7; n++) ids.push((await add()).id);
		await change({ petId: ids[0] ?? 0n, set: sold });
		const pages = await walk(feed(), start, 3);
		expect(pages.map(({ more }) => more)).toEqual([true, true, false]);
		expect(pages.flatMap(({ entries }) => entries).map(toShort)).toEqual([
			["added", ids[0], "sold"],
			...ids.slice(1).map((id) => ["added", id, "available"]),
			["changed", ids[0], "sold"],
		]);
		expect(await kinds(feed(), pages.at(-1)?.next ?? 0n)).toEqual([]);
	});

	test("`last` changes with every add and every change", async () => {
		const seen = [await feed().last()];
		const { id } = await add();
		seen.push(await feed().last());
		await change({ petId: id, set: sold });
		seen.push(await feed().last());
		await change({ petId: id, set: undefined });
		seen.push(await feed().last());
		expect(new Set(seen).size).toBe(4);
		expect(await feed().last()).toBe(seen.at(-1) ?? 0n);
	});

	describe("Changes feed: gone", () => {
		test("refuses a position of another database as gone", async () => {
			const { next: start } = await read(feed(), 0n, { limit: 1 });
			const last = await feed().last();
			for (const after of [1n, last + 1n, last + 2n ** 32n, 2n ** 100n])
				expect(await isGone(feed(), after)).toBe(true);
			expect(await isGone(feed(), start)).toBe(false);
		});

		test.each([1_000n, 2n ** 53n + 1n, 2n ** 62n, maxInt64 - 2n])(
			"refuses every position from before a restore as gone, with the counter at %s",
			async (counter) => {
				const backup = await makeBackup(counter);
				await withStore(stores().engine, async (store) => {
					const given: bigint[] = [];
					for (let round = 0; round < 12; round++) {
						await restore(store, backup.path, { replace: true });
						for (const position of given)
							expect(await isGone(store.feed, position)).toBe(true);
						const { add } = actions(() => store);
						given.push(await store.feed.last());
						if (counter <= 2n ** 62n) await add();
						given.push(await store.feed.last(), await end(store.feed));
					}
					expect(await kinds(store.feed, 0n)).toContainEqual([
						"added",
						counter,
					]);
				});
				backup.remove();
			},
		);

		test("refuses the positions of a source as gone in its copies, even if the source went on", async () => {
			const { engine } = stores();
			await withStore(engine, async (source) => {
				await source.archive.fill([{ id: 2n ** 53n + 1n, ...rex }]);
				const before = await end(source.feed);
				const backup = await backUp(source);
				await actions(() => source).add();
				for (let copy = 0; copy < 4; copy++)
					await withStore(engine, async (target) => {
						await restore(target, backup.path);
						for (const position of [before, await end(source.feed)])
							expect(await isGone(target.feed, position)).toBe(true);
					});
				backup.remove();
			});
		});

		test("returns the catalogue to a reader that starts again after a restore", async () => {
			await withStore(stores().engine, async (store) => {
				const own = actions(() => store);
				const [kept, removed] = [await own.add(), await own.add()];
				const backup = await backUp(store);
				await own.change({ petId: removed.id, set: undefined });
				await own.add();
				await restore(store, backup.path, { replace: true });
				backup.remove();
				expect(await kinds(store.feed, 0n)).toEqual([
					["added", kept.id],
					["added", removed.id],
				]);
			});
		});
	});

	test("refuses a change like an add when all ids have been used, and changes nothing", async () => {
		await withStore(stores().engine, async (store, url) => {
			const own = actions(() => store);
			const { id } = await own.add();
			await executeOn(stores().engine, url, (schema) => [
				`UPDATE ${schema}counter SET last = ${maxInt64 - 1n}`,
			]);
			await own.change({ petId: id, set: { name: "last" } });
			const { entries } = await read(store.feed, 0n);
			expect(entries.at(-1)?.position).toBe(await store.feed.last());
			expect(entries.at(-1)?.position).toBeGreaterThan(maxInt64);
			const { addPet, changePets } = store.catalogue;
			const exhausted = { code: "ids_exhausted", cause: undefined };
			await expect(addPet({ pet: rex })).rejects.toMatchObject(exhausted);
			for (const sets of [[sold], [undefined], [sold, sold]])
				await expect(
					changePets(sets.map((set) => ({ petId: id, set }))),
				).rejects.toMatchObject(exhausted);
			expect(await store.catalogue.getPet(id)).toMatchObject({
				...rex,
				id,
				name: "last",
			});
			expect(await kinds(store.feed, await end(store.feed))).toEqual([]);
		});
	});
});

/** What a test does with the animals of a store. Each resolves when the feed has it. */
function actions(store: () => Store) {
	async function inFeed<Result>(work: () => Promise<Result>): Promise<Result> {
		const before = await store().feed.last();
		const result = await work();
		await waitFor(async () => (await store().feed.last()) > before);
		return result;
	}
	return {
		add: (name: string = rex.name) =>
			inFeed(async () => {
				const added = await store().catalogue.addPet({ pet: { ...rex, name } });
				if (added.outcome === "mismatch") throw new Error("not added");
				return { id: added.id };
			}),
		change: (...changes: PetChange[]) =>
			inFeed(async () => {
				const changed = await store().catalogue.changePets(changes);
				expect(changed.outcome).toBe("changed");
			}),
	};
}

/** Other tests may have transactions open on the same server, which the feed of PostgreSQL waits for. */
async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await check())) {
		if (performance.now() > deadline) throw new Error("It never happened.");
		await Bun.sleep(10);
	}
}

/** Of a catalogue with one animal, whose id is the last. */
async function makeBackup(id: bigint) {
	const store = await openStore("sqlite::memory:", { access: "create" });
	await store.archive.fill([{ id, ...rex }]);
	return backUp(store).finally(store.close);
}

async function isGone(feed: Feed, after: bigint): Promise<boolean> {
	return (await feed.read({ after, limit: 1 })) === "gone";
}

async function read(
	feed: Feed,
	after: bigint,
	query: { limit?: number } = {},
): Promise<FeedPage> {
	const page = await feed.read({ after, limit: 100, ...query });
	if (page === "gone") throw new Error("The position is gone.");
	return page;
}

async function walk(
	feed: Feed,
	after: bigint,
	limit: number,
): Promise<FeedPage[]> {
	const page = await read(feed, after, { limit });
	return page.more ? [page, ...(await walk(feed, page.next, limit))] : [page];
}

async function end(feed: Feed): Promise<bigint> {
	return (await walk(feed, 0n, 1_000)).at(-1)?.next ?? 0n;
}

async function kinds(feed: Feed, after: bigint) {
	const { entries } = await read(feed, after);
	return entries.map(({ kind, petId }) => [kind, petId]);
}

function toShort({ kind, petId, pet }: FeedEntry): unknown[] {
	return [kind, petId, pet?.status];
}

async function withStore(
	engine: Engine,
	work: (store: Store, url: string) => Promise<void>,
): Promise<void> {
	const database = await newDatabase(engine);
	const store = await openStore(database.url, { access: "create" });
	try {
		await work(store, database.url);
	} finally {
		await store.close();
		await database.remove();
	}
}
