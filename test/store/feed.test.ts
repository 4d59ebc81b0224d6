// The feed of changes: a reader of all pages has the catalogue.
import { describe, expect, test } from "bun:test";
import { Client } from "pg";
import { maxInt64 } from "../../src/domain/types/json.ts";
import type { PetChange } from "../../src/store/animals/change.ts";
import type { Feed, FeedPage } from "../../src/store/edits/feed.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { backUp, restore } from "../harness/backup.ts";
import { rex } from "../harness/pet.ts";
import {
	countRows,
	execute,
	terminateSessions,
} from "../harness/postgres/server.ts";
import {
	add,
	engines,
	executeOn,
	onEachEngine,
	openNewStore,
} from "./engines.ts";

const sold = { status: "sold" } as const;

onEachEngine((stores) => {
	const store = () => stores().store;
	const feed = () => store().feed;
	const otherFeed = () => stores().other.feed;

	test("returns adds, changes and removals in their order, in every process", async () => {
		const start = await feed().last();
		const [one, two] = [await add(store()), await add(store())];
		await change(store(), { petId: one, set: sold });
		await change(store(), { petId: two, set: undefined });
		for (const any of [feed(), otherFeed()]) {
			const { entries, next, more } = await read(any, start);
			expect(
				entries.map(({ kind, petId, pet }) => [kind, petId, pet?.status]),
			).toEqual([
				["added", one, "sold"],
				["changed", one, "sold"],
				["removed", two, undefined],
			]);
			expect(more).toBe(false);
			expect(next).toBe(entries.at(-1)?.position ?? 0n);
			expect(next).toBe(await any.last());
		}
	});

	test("returns the last of many changes of an animal by two processes", async () => {
		const petId = await add(store());
		const { store: one, other } = stores();
		await Promise.all(
			Array.from({ length: 40 }, (_, n) =>
				change(n % 2 ? one : other, { petId, set: { name: `name ${n}` } }),
			),
		);
		const { entries } = await read(feed(), 0n);
		const { epoch: _, ...pet } = (await one.catalogue.getPet(petId)) ?? {};
		expect(entries.at(-1)).toMatchObject({ petId, pet });
	});

	test("gives each animal that a call changes one position, which is no id", async () => {
		const [one, two, three] = [
			await add(store()),
			await add(store()),
			await add(store()),
		];
		const start = await feed().last();
		await change(
			store(),
			{ petId: one, set: sold },
			{ petId: two, set: sold },
			{ petId: one, set: undefined },
			{ petId: three, set: sold },
		);
		const { entries } = await read(feed(), start);
		expect(new Map(entries.map(({ petId, kind }) => [petId, kind]))).toEqual(
			new Map([
				[one, "removed"],
				[two, "changed"],
				[three, "changed"],
			]),
		);
		expect(new Set(entries.map(({ position }) => position)).size).toBe(3);
		expect(await add(store())).toBe(three + 4n);
	});

	test("returns pages without a gap, and says on the last one that no more follows", async () => {
		const start = await feed().last();
		const ids: bigint[] = [];
		for (let n = 0; n < 7; n++) ids.push(await add(store()));
		await change(store(), { petId: ids[0] ?? 0n, set: sold });
		const found: bigint[] = [];
		const more: boolean[] = [];
		for (let after = start; more.at(-1) ?? true; ) {
			const page = await read(feed(), after, 3);
			found.push(...page.entries.map(({ petId }) => petId));
			more.push(page.more);
			after = page.next;
		}
		expect(more).toEqual([true, true, false]);
		expect(found).toEqual([...ids, ids[0] ?? 0n]);
	});

	test("refuses a position of another database as gone", async () => {
		const petId = await add(store());
		const { epoch = "" } = (await store().catalogue.getPet(petId)) ?? {};
		const last = await feed().last();
		for (const after of [1n, last + 1n, last + 2n ** 32n, 2n ** 100n])
			expect(await isGone(feed(), after)).toBe(true);
		expect(await isGone(feed(), BigInt(epoch))).toBe(false);
	});
});

describe.each(engines)("%s", (engine) => {
	test("returns a position of its own to go on from while it is empty", async () => {
		await using store = await openNewStore(engine);
		const start = await read(store.feed, 0n);
		expect(start).toMatchObject({ entries: [], more: false });
		expect(start.next).toBeGreaterThanOrEqual(2n ** 32n);
		await using other = await openNewStore(engine);
		expect(await other.feed.last()).not.toBe(start.next);
		const petId = await add(store);
		for (const after of [0n, start.next])
			expect((await read(store.feed, after)).entries).toMatchObject([
				{ kind: "added", petId },
			]);
	});

	test.each([1_000n, 2n ** 62n])(
		"refuses every position from before a restore as gone, with the counter at %s",
		async (counter) => {
			const source = await openStore("sqlite::memory:", { access: "create" });
			await source.archive.fill([{ id: counter, ...rex }]);
			using backup = await backUp(source).finally(source.close);
			await using store = await openNewStore(engine);
			const given: bigint[] = [];
			for (let round = 0; round < 3; round++) {
				await restore(store, backup.path, { replace: true });
				for (const position of given)
					expect(await isGone(store.feed, position)).toBe(true);
				const last = await store.feed.last();
				expect(last).toBeGreaterThan(given.at(-1) ?? 0n);
				given.push(last);
				if (counter < 2n ** 62n) await add(store);
				given.push(await store.feed.last());
			}
			const [first] = (await read(store.feed, 0n)).entries;
			expect(first).toMatchObject({ kind: "added", petId: counter });
		},
	);

	test("refuses the positions of a source as gone in its copies, even if the source went on", async () => {
		await using source = await openNewStore(engine);
		await source.archive.fill([{ id: 2n ** 53n + 1n, ...rex }]);
		const before = await source.feed.last();
		using backup = await backUp(source);
		await add(source);
		const positions = [before, await source.feed.last()];
		for (let copy = 0; copy < 2; copy++) {
			await using target = await openNewStore(engine);
			await restore(target, backup.path);
			for (const position of positions)
				expect(await isGone(target.feed, position)).toBe(true);
			// Of another copy.
			positions.push(await target.feed.last());
		}
	});

	test("refuses a change like an add when all ids have been used, and changes nothing until a restore", async () => {
		await using store = await openNewStore(engine);
		const { url } = store;
		const petId = await add(store);
		using backup = await backUp(store);
		await executeOn(engine, url, (schema) => [
			`UPDATE ${schema}counter SET last = ${maxInt64 - 1n}`,
		]);
		await change(store, { petId, set: { name: "last" } });
		const last = await store.feed.last();
		expect((await read(store.feed, 0n)).next).toBe(last);
		expect(last).toBeGreaterThan(maxInt64);
		const { addPet, changePets, getPet } = store.catalogue;
		const exhausted = { code: "ids_exhausted", cause: undefined };
		await expect(addPet({ pet: rex })).rejects.toMatchObject(exhausted);
		for (const sets of [[sold], [undefined], [sold, sold]])
			await expect(
				changePets(sets.map((set) => ({ petId, set }))),
			).rejects.toMatchObject(exhausted);
		expect(await getPet(petId)).toMatchObject({ ...rex, name: "last" });
		expect(await store.feed.last()).toBe(last);
		await restore(store, backup.path, { replace: true });
		expect(await add(store)).toBeLessThan(10n);
	});
});

test("fails a page if the content is replaced after its position was compared", async () => {
	const store = await openStore("sqlite::memory:", { access: "create" });
	const { archive, feed } = store;
	await archive.fill([{ id: 1n, ...rex }]);
	const reading = feed.read({ after: 0n, limit: 1 });
	void archive.fill([{ id: 1n, ...rex }]);
	await expect(reading).rejects.toMatchObject({ code: "unavailable" });
	await store.close();
});

describe("PostgreSQL", () => {
	test("an add that is delayed after it has drawn its id holds up those after it", async () => {
		await using store = await openNewStore("postgres");
		const { url } = store;
		await execute(url, delayHeld);
		const other = await openStore(url, { access: "write" });
		const client = new Client({ connectionString: url });
		await client.connect();
		await client.query("SELECT pg_advisory_lock(1)");
		const start = await store.feed.last();
		const held = store.catalogue.addPet({ pet: { ...rex, name: "Held" } });
		const waiting =
			"SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted";
		while ((await countRows(url, waiting)) === 0) await Bun.sleep(5);
		const next = add(other);
		expect((await read(store.feed, start)).entries).toEqual([]);
		await client.query("SELECT pg_advisory_unlock(1)");
		await held;
		const { entries } = await read(store.feed, start);
		expect(entries[0]?.pet?.name).toBe("Held");
		expect(await next).toBeGreaterThan(entries[0]?.petId ?? maxInt64);
		await client.end();
		await other.close();
	});

	test("refuses positions from before a loss of commits, and misses no change after it", async () => {
		await using store = await openNewStore("postgres");
		const { url } = store;
		const other = await openStore(url, { access: "write" });
		const kept = await add(store);
		const lost = [await add(store), await add(store)];
		const positions = [await store.feed.last(), await other.feed.last()];
		// As a standby does that takes over without the last commits.
		await execute(
			url,
			`DELETE FROM petstore.pets WHERE id > ${kept};
			UPDATE petstore.counter SET last = ${kept}`,
		);
		expect(lost).toContain(await add(store));
		const { next } = await read(store.feed, 0n);
		const later: bigint[] = [];
		for (const _ of [...lost, ...lost]) later.push(await add(other));
		const { entries } = await read(store.feed, next);
		expect(entries.map(({ petId }) => petId)).toEqual(later);
		for (const { feed } of [store, other])
			for (const after of positions)
				expect(await isGone(feed, after)).toBe(true);
		await other.close();
	});
});

describe("on another server, or another course of the same one", () => {
	test.each([
		[
			"begins an epoch, once for all copies, also with a higher position",
			"1 2 3",
		],
		["begins none in a database that does not say where it was", ""],
	])("%s", async (_name, course) => {
		await using store = await openNewStore("postgres");
		const { url } = store;
		const other = await openStore(url, { access: "write" });
		await add(store);
		const before = [await store.feed.last(), await other.feed.last()];
		await add(store);
		await execute(url, `UPDATE petstore.counter SET course = '${course}'`);
		await terminateSessions(url);
		const read = async ({ feed }: Store) => {
			// The first requests find out that their connections were lost.
			for (let found: bigint | undefined; found === undefined; )
				found = await feed.last().catch(() => undefined);
			return Promise.all(before.map((after) => isGone(feed, after)));
		};
		const isOther = course !== "";
		for (const copy of [store, other, store])
			expect(await read(copy)).toEqual([isOther, isOther]);
		expect(await store.feed.last()).toBe(await other.feed.last());
		await other.close();
	});
});

/** An insert of the animal "Held" waits for the advisory lock 1. */
const delayHeld = `
	CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
	CREATE TRIGGER held BEFORE INSERT ON petstore.pets FOR EACH ROW WHEN (NEW.name = 'Held') EXECUTE FUNCTION wait_for_lock()`;

async function change(
	{ catalogue }: Store,
	...changes: PetChange[]
): Promise<void> {
	const { outcome } = await catalogue.changePets(changes);
	expect(outcome).toBe("changed");
}

async function isGone(feed: Feed, after: bigint): Promise<boolean> {
	return (await feed.read({ after, limit: 1 })) === "gone";
}

async function read(feed: Feed, after: bigint, limit = 100): Promise<FeedPage> {
	const page = await feed.read({ after, limit });
	if (page === "gone") throw new Error("The position is gone.");
	return page;
}
