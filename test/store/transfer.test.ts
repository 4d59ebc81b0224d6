// Backup and restore: everything of one database into another, while the store is in use.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { tableNames, tables } from "../../src/store/database/tables.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { backUp, readRows, restore } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex, toPet } from "../harness/pet.ts";
import { startMs } from "../service.ts";
import {
	engines,
	importLines,
	newDatabase,
	type Database as Owned,
	onEachEngine,
	openNewStore,
} from "./engines.ts";

const max = toPet({
	name: "Max \u{1f600}",
	categoryId: maxInt64,
	status: "sold",
});

const pairs = engines.flatMap((from) =>
	engines.map((to) => [from, to] as const),
);

test("A backup has every table but the counters, which a restore sets, and the sessions", () => {
	expect(
		tableNames.filter((name) => tables[name].isArchived === false),
	).toEqual(["counter", "catalogue", "sessions", "signInLinks"]);
});

describe.each(pairs)("from %s to %s", (from, to) => {
	test(
		"a backup and a restore keep every row exactly",
		async () => {
			await using store = await openNewStore(from);
			await fill(store);
			using backup = await backUp(store);
			await using restored = await openNewStore(to);
			await restore(restored, backup.path);
			const rows = await readRows(store.url);
			for (const [name, found] of Object.entries(rows))
				expect(found, name).not.toEqual([]);
			expect(await readRows(restored.url)).toEqual(rows);
			expect(await restored.check()).toMatchObject({ findings: [] });
			// Positions and backups of the source are not its own.
			expect(await restored.feed.last()).not.toBe(await store.feed.last());
			const [{ catalogue: own }, { catalogue }] = [
				await restored.backups.read(),
				await store.backups.read(),
			];
			expect(own).not.toBe(catalogue);
			const next = await store.catalogue.addPet({ pet: rex });
			expect(await restored.catalogue.addPet({ pet: rex })).toEqual(next);
			const { id } = await store.keys.add(makeKey().record);
			expect(await restored.keys.add(makeKey().record)).toMatchObject({ id });
		},
		startMs,
	);
});

onEachEngine((stores) => {
	test("a backup has everything of the moment when it began, while the store stays in use", async () => {
		const { store, other } = stores();
		const pets = Array.from({ length: 2_500 }, () => rex);
		await importLines(store, pets);
		const adding: Promise<unknown>[] = [];
		using backup = await backUp(store, (table) => {
			if (table !== "pets") return;
			for (const any of [store, other])
				adding.push(any.catalogue.addPet({ pet: rex }));
		});
		await Promise.all(adding);
		expect(adding.length).toBeGreaterThan(2);
		const copy = await openStore(`sqlite:${backup.path}`, { access: "read" });
		expect(await copy.catalogue.readTotals()).toEqual({
			...{ available: 2_500, pending: 0, sold: 0 },
		});
		await copy.close();
	});

	test("a restore refuses a database that is not empty, and does not change it", async () => {
		const { store, url } = stores();
		await store.catalogue.addPet({ pet: rex });
		using backup = await backUp(store);
		const before = await readRows(url);
		await expect(restore(store, backup.path)).rejects.toThrow(
			"The target holds or held animals",
		);
		expect(await readRows(url)).toEqual(before);
	});
});

describe.each(engines)("%s", (engine) => {
	let database: Owned;
	let backup: Awaited<ReturnType<typeof backUp>>;
	let store: Store;
	beforeAll(async () => {
		database = await newDatabase(engine);
		store = await openStore(database.url, { access: "create" });
		await fill(store);
		backup = await backUp(store);
	}, startMs);
	afterAll(async () => {
		await store.close();
		await database.remove();
		backup.remove();
	});

	test("a restore that replaces the content does all of it or nothing, and assigns no id twice", async () => {
		const { path } = backup;
		const { url } = database;
		const content = await readRows(url);
		// More ids than the edit of the restore takes.
		for (const name of "abcdefghijklmnopqrstuvwxyz")
			await store.catalogue.changePets([{ petId: 1n, set: { name } }]);
		const added = await store.catalogue.addPet({ pet: max });
		const { record } = makeKey();
		await store.keys.add(record);
		await store.sessions.add({ ...session, hash: "s" });
		const position = await store.feed.last();
		const { catalogue } = await store.backups.read();
		const failing = restore(store, path, {
			replace: true,
			onRows(table) {
				if (table === "history") throw new TypeError("the source is gone");
			},
		});
		await expect(failing).rejects.toThrow("gone");
		expect(await store.keys.find(record.hash)).toBeDefined();
		expect(await store.sessions.find("s")).toBeDefined();

		const keys = await store.keys.list();
		const edit = await restore(store, path, { replace: true });
		const after = await readRows(url);
		const { keys: _, edits, ...others } = content;
		expect(after).toMatchObject(others);
		expect(after.edits).toHaveLength((edits?.length ?? 0) + 1);
		expect(await store.keys.list()).toEqual(keys);
		expect(await store.sessions.find("s")).toBeDefined();
		expect(await store.edits.find(edit ?? 0n)).toMatchObject({
			kind: "restored",
			by: "command line",
		});
		expect(await store.feed.read({ after: position, limit: 1 })).toBe("gone");
		expect(await store.backups.read()).toMatchObject({ catalogue });
		const next = await store.catalogue.addPet({ pet: rex });
		if (added.outcome !== "added" || next.outcome !== "added")
			throw new Error("not added");
		expect(next.id).toBeGreaterThan(added.id);
		const key = await store.keys.add(makeKey().record);
		expect(key.id).toBe(3);
		expect(await store.check()).toMatchObject({ findings: [] });
	});
});

const session = { keyHash: undefined, createdAt: Date.now() };

/** At least one row in each table. */
async function fill(store: Store): Promise<void> {
	const { catalogue, keys, categories } = store;
	const { hash } = await keys.add(makeKey().record);
	const again = { owner: hash, key: "k", fingerprint: "f", at: Date.now() };
	await catalogue.addPet({ pet: rex, idempotency: again });
	for (let count = 0; count < 4; count++) await catalogue.addPet({ pet: max });
	await catalogue.changePets([
		{ petId: 1n, set: { status: "sold" } },
		{ petId: 2n, set: undefined },
		{ petId: 3n, set: undefined },
	]);
	const origin = { version: 3n, addedAt: 4n, addedBy: null };
	const putBack = { id: 3n, ...max, ...origin };
	await catalogue.changePets([{ petId: 3n, set: max, putBack }]);
	await categories.set(-(2n ** 63n), "Dogs");
	// It folds the numbers of animals. Those of the import are in no fold.
	await categories.add("Cats");
	await importLines(store, [rex], { importId: "monday" });
}
