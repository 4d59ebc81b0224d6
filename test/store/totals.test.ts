// The numbers of animals: exact whatever happens at the same time, and as fast with many categories, commits and open snapshots as with few.
import { expect, test } from "bun:test";
import { Client } from "pg";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { petStatuses } from "../../src/domain/pet/pet.ts";
import { addCategories } from "../../src/store/animals/categories.ts";
import { addPetsAtOnce } from "../../src/store/postgres/inserts.ts";
import type { Store } from "../../src/store/store.ts";
import { openSql } from "../harness/backup.ts";
import { rex, toPet } from "../harness/pet.ts";
import { root, start } from "../harness/process.ts";
import {
	type Engine,
	executeOn,
	importLines,
	onEachEngine,
	openNewStore,
} from "./engines.ts";

test("an add on PostgreSQL reads hardly more pages beside a snapshot that was opened many commits before", async () => {
	await using store = await openNewStore("postgres");
	const { catalogue } = store;
	const commits = async (count: number) => {
		for (let done = 0; done < count; done++)
			await catalogue.addPet({ pet: rex });
	};
	await commits(100);
	const snapshot = new Client(store.url);
	await snapshot.connect();
	await snapshot.query(
		"BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM petstore.pets LIMIT 1",
	);
	const before = await countBlocks(store.url);
	await commits(1_500);
	expect(await countBlocks(store.url)).toBeLessThan(before + 10);
	await snapshot.end();
}, 60_000);

/** Pages of tables and indexes that an add looks at. */
async function countBlocks(url: string): Promise<number> {
	const { value } = addPetsAtOnce([{ pet: rex }]).next([]);
	if (!value || !("asks" in value)) throw new Error("it asks nothing");
	const client = new Client(url);
	await client.connect();
	await client.query("SET search_path = petstore; BEGIN");
	for (const { text, values } of value.asks)
		await client.query(text, [...values]);
	const { rows } = await client.query(
		`SELECT CAST(sum(pg_stat_get_xact_blocks_fetched(oid)) AS int4) AS blocks
		FROM pg_class WHERE relnamespace = 'petstore'::regnamespace`,
	);
	await client.end();
	return rows[0].blocks;
}

onEachEngine((stores) => {
	test("the numbers are exact after all kinds of changes by two stores at once, and none is kept for no animals", async () => {
		const { store, other, url } = stores();
		await Promise.all([useAtRandom(store), useAtRandom(other)]);
		expect(await store.check()).toMatchObject({ findings: [] });
		const sql = await openSql(url);
		expect((await sql.all("SELECT number FROM counter")).length).toBeLessThan(
			200,
		);
		await removeAll(store);
		expect(await other.check()).toMatchObject({ animals: 0, findings: [] });
		expect(await other.catalogue.readTotals()).toEqual(none);
		for (let id = 0n; id < categories; id++)
			expect(await other.catalogue.readTotals(id)).toEqual(none);
		// It folds everything.
		await store.categories.add("Dogs");
		expect(await sql.all("SELECT * FROM counts")).toEqual([]);
		expect(await other.categories.list(-1n, 9)).toMatchObject([{ id: 1n }]);
		await sql.close();
	}, 60_000);

	test("finds a free id in few steps with a million categories in use, and makes thousands with few statements", async () => {
		await using store = await openNewStore(stores().engine);
		await executeOn(stores().engine, store.url, (schema) => [
			`INSERT INTO ${schema}counts ${toMillion[stores().engine]}`,
		]);
		const begun = performance.now();
		expect(await store.categories.add("Dogs")).toMatchObject({
			id: 1_000_001n,
		});
		let statements = 0;
		await store.archive.write(function* () {
			const names = Array.from({ length: 3_000 }, (_, n) => `name ${n}`);
			const work = addCategories(
				new Map(names.map((name) => [name, { name }])),
			);
			let step = work.next([]);
			for (; !step.done; statements++) step = work.next(yield step.value);
			expect([...step.value.values()].slice(0, 2)).toEqual([
				1_000_002n,
				1_000_003n,
			]);
		});
		expect(statements).toBeLessThan(20);
		expect(performance.now() - begun).toBeLessThan(5_000);
	}, 60_000);

	test("finds a free id where each id that it looks at first is in use", async () => {
		await using store = await openNewStore(stores().engine);
		for (let id = 1n; id < 2n ** 63n; id *= 2n)
			await store.catalogue.addPet({ pet: toPet({ categoryId: id }) });
		const { id } = await store.categories.add("Dogs");
		expect((await store.categories.list(id, 1))[0]).toEqual({
			...{ id, name: "Dogs", pets: 0n },
		});
	});

	test("the numbers are exact after the process that adds and removes was killed", async () => {
		await using store = await openNewStore(stores().engine);
		for (let round = 0; round < 3; round++) {
			const running = start([process.execPath, "-e", addAndRemove(store.url)], {
				cwd: root,
			});
			await running.printed(/begun/);
			await Bun.sleep(200 + 100 * round);
			running.kill("SIGKILL");
			await running.finished;
			expect(await store.check()).toMatchObject({ findings: [] });
		}
		const { available } = await store.catalogue.readTotals();
		expect(available).toBeGreaterThan(0);
	}, 60_000);
});

const none = { available: 0, pending: 0, sold: 0 };
const categories = 6;

/** More transactions than a fold has, by adds, changes, removals, imports and undos of them. */
async function useAtRandom(store: Store): Promise<void> {
	const { catalogue, edits } = store;
	const { signal } = new AbortController();
	const below = (end: number) => Math.floor(Math.random() * end);
	const toAny = () =>
		toPet({
			categoryId: BigInt(below(categories)),
			status: petStatuses[below(petStatuses.length)] ?? "sold",
		});
	const authored = byCommandLine();
	const ids: bigint[] = [];
	for (let turn = 0; turn < 150; turn++) {
		const adding = Array.from({ length: turn % 4 }, () =>
			catalogue.addPet({ pet: toAny() }),
		);
		for (const added of await Promise.all(adding))
			if (added.outcome === "added") ids.push(added.id);
		const [petId = 0n] = ids.splice(below(ids.length), 1);
		const set = turn % 3 === 0 ? undefined : toAny();
		const changed = await catalogue.changePets([{ petId, set }], authored);
		const edit = "edit" in changed ? changed.edit : undefined;
		if (turn % 5 === 0 && edit)
			await edits.undo({ id: edit, authored, maxAnimals: 10 }, signal);
		if (turn % 50 === 0)
			// More categories than a row of the counter takes.
			await importLines(
				store,
				Array.from({ length: 50 }, (_, n) => toPet({ categoryId: BigInt(n) })),
			);
	}
}

async function removeAll({ catalogue }: Store): Promise<void> {
	for (;;) {
		const search = { limit: 1_000, maxId: 2n ** 62n, isLimited: false };
		const { pets } = await catalogue.findPets({ ...search, filter: {} });
		if (pets.length === 0) return;
		await catalogue.changePets(
			pets.map(({ id }) => ({ petId: id, set: undefined })),
		);
	}
}

const addAndRemove = (url: string) => `
	import { openStore } from "./src/store/store.ts";
	const { catalogue } = await openStore("${url}", { access: "create" });
	console.log("begun");
	const pet = { name: "Rex", categoryId: 1n, status: "available" };
	for (let turn = 0n; ; turn++) {
		const [{ id }] = await Promise.all([1n, turn % 7n].map((categoryId) => catalogue.addPet({ pet: { ...pet, categoryId } })));
		await catalogue.changePets([{ petId: id, set: undefined }]);
	}`;

const toMillion: Readonly<Record<Engine, string>> = {
	sqlite:
		"WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 1000000) SELECT n, 'sold', 1 FROM series",
	postgres:
		"SELECT n, 'sold', 1 FROM generate_series(1, 1000000) AS series (n)",
};
