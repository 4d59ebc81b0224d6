// Imports and exports of a store: all animals of a file in one transaction, and all animals of one moment.
import { describe, expect, test } from "bun:test";
import { setImmediate as nextIteration } from "node:timers/promises";
import { OperatorError } from "../../src/domain/errors.ts";
import type { PetFilter } from "../../src/domain/pet/filter.ts";
import type { NumberedPet } from "../../src/domain/pet/pet.ts";
import { minInt64 } from "../../src/domain/types/json.ts";
import type { PetSnapshot } from "../../src/store/animals/search.ts";
import { partRows } from "../../src/store/database/sql.ts";
import type { Imported, ImportOptions } from "../../src/store/files/import.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { engines, importLines, openNewStore, toLines } from "./engines.ts";

describe.each(engines)("%s", (engine) => {
	test("assigns new ids in the order of the lines", async () => {
		await using store = await openNewStore(engine);
		await store.catalogue.addPet({ pet: rex });
		const names = Array.from({ length: partRows + 5 }, (_, i) => `pet ${i}`);
		const counts: number[] = [];
		const imported = await importNames(store, names, {
			onProgress: (count) => counts.push(count),
		});
		expect(imported).toMatchObject({ outcome: "done", added: names.length });
		const pets = await exportAll(store);
		expect(pets.map(({ name }) => name)).toEqual(["Rex", ...names]);
		expect(pets.map(({ id }) => id)).toEqual(
			pets.map((_, index) => BigInt(index + 1)),
		);
		expect(counts.at(-1)).toBe(names.length);
		expect(await store.catalogue.addPet({ pet: rex })).toMatchObject({
			id: BigInt(names.length + 2),
		});
	});

	test("accepts an import id once", async () => {
		await using store = await openNewStore(engine);
		const options = { importId: "monday", contentHash: "a".repeat(64) };
		await importNames(store, ["a", "b"], options);
		const repeated = await importNames(store, ["c"], options);
		expect(repeated).toMatchObject({ outcome: "repeated", animals: 2 });
		const other = { ...options, contentHash: "b".repeat(64) };
		const reused = importNames(store, ["c"], other);
		await expect(reused).rejects.toMatchObject({ code: "conflict" });
		expect(await exportAll(store)).toHaveLength(2);
		expect(await store.imports.check([], { ...asked, ...options })).toEqual(
			repeated,
		);
	});

	test("adds the animals once if two imports with one id run at once", async () => {
		await using store = await openNewStore(engine);
		const other = await openStore(store.url, { access: "write" });
		const outcomes = await Promise.all(
			[store, other].map((one) => importNames(one, ["a"], { importId: "x" })),
		);
		expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
			"done",
			"repeated",
		]);
		expect(await exportAll(store)).toHaveLength(1);
		await other.close();
	});

	test("adds nothing if the import is stopped", async () => {
		await using store = await openNewStore(engine);
		const controller = new AbortController();
		const names = Array.from({ length: 2 * partRows }, () => "x");
		const stopped = await importNames(store, names, {
			importId: "stopped",
			signal: controller.signal,
			onProgress: () => controller.abort(new OperatorError("stopped")),
		}).catch((error) => error);
		expect(stopped.message).toBe("stopped");
		expect(await exportAll(store)).toEqual([]);
		expect(await importNames(store, ["a"], { importId: "stopped" })).toEqual(
			expect.objectContaining({ outcome: "done", added: 1 }),
		);
	});

	test("updates members, adds lines without an id, and gives an unchanged animal neither a version nor a feed entry", async () => {
		await using store = await openNewStore(engine);
		await importNames(store, ["a", "b", "c", "d"]);
		const start = await store.feed.last();
		const lines = [
			{ id: 1n, status: "sold" as const },
			{ id: 2n, name: "b" },
			{ ...rex, name: "new" },
			{ id: 4n, name: "D", categoryId: minInt64, version: 4n },
		];
		const counts = {
			added: 1,
			changed: 2,
			unchanged: 1,
			blankNames: 0,
			createdCategories: [],
		};
		expect(await store.imports.check(toLines(lines), asked)).toEqual({
			outcome: "done",
			...counts,
		});
		expect(await exportAll(store)).toHaveLength(4);
		const done = await importLines(store, lines);
		expect(done).toMatchObject({ outcome: "done", ...counts });
		const pets = await exportAll(store);
		expect(pets).toMatchObject([
			{ ...rex, id: 1n, name: "a", status: "sold" },
			{ ...rex, id: 2n, name: "b", version: 2n },
			{ ...rex, id: 3n, name: "c", version: 3n },
			{ ...rex, id: 4n, name: "D", categoryId: minInt64 },
			{ ...rex, name: "new" },
		]);
		const feed = await store.feed.read({
			after: start,
			limit: 10,
		});
		if (feed === "gone") throw new Error("the feed is gone");
		expect(
			feed.entries.map(({ kind, petId }) => [kind, petId]).toSorted(),
		).toEqual([
			["added", pets[4]?.id ?? 0n],
			["changed", 1n],
			["changed", 4n],
		]);
		// A version is a place in the feed.
		const versions = feed.entries.map(({ pet }) => pet?.version);
		expect(new Set(versions).size).toBe(3);
		const again = await importLines(store, lines.slice(0, 2));
		expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
		expect(await store.feed.last()).toBe(feed.next);
	});

	test("lists unknown ids and other versions of an update by line, and changes nothing", async () => {
		await using store = await openNewStore(engine);
		await importNames(store, ["a", "b"]);
		const lines = [
			{ id: 1n, name: "A" },
			{ id: 9n, name: "x" },
			{ id: 2n, name: "B", version: 1n },
			{ ...rex, name: "new" },
		];
		const problems = {
			count: 2,
			first: [
				{
					line: 2,
					field: "id",
					value: "9",
					message: "id belongs to no animal.",
				},
				{
					line: 3,
					field: "version",
					value: "1",
					message: expect.stringContaining("changed since the export"),
				},
			],
		};
		expect(await store.imports.check(toLines(lines), asked)).toEqual({
			outcome: "refused",
			...problems,
			counts: {
				added: 1,
				changed: 1,
				unchanged: 0,
				blankNames: 0,
				createdCategories: [],
			},
		});
		const options = { importId: "x" };
		expect(await importLines(store, lines, options)).toEqual({
			outcome: "refused",
			...problems,
		});
		expect(await exportAll(store)).toMatchObject([
			{ name: "a", version: 1n },
			{ name: "b", version: 2n },
		]);
		expect(await store.catalogue.addPet({ pet: rex })).toMatchObject({
			id: 3n,
		});
	});

	test("lists the first 100 problems of an update, counts all of them, and changes nothing", async () => {
		await using store = await openNewStore(engine);
		const names = Array.from({ length: 3 * partRows }, () => "x");
		await importNames(store, names);
		const before = await exportAll(store);
		const lines = names.map((_, index) => {
			const id = BigInt(index + 1);
			const isWrong = index === 1_500 || index > 2_800;
			return { id, name: "y", version: isWrong ? 1n : id };
		});
		expect(await importLines(store, lines)).toMatchObject({
			outcome: "refused",
			count: 200,
			first: [1_501, ...Array.from({ length: 99 }, (_, n) => 2_802 + n)].map(
				(line) => ({ line }),
			),
		});
		expect(await exportAll(store)).toEqual(before);
	});

	test("refuses the id of an animal that the same update has added", async () => {
		await using store = await openNewStore(engine);
		await importNames(store, ["a"]);
		const added = Array.from({ length: partRows }, () => rex);
		const lines = [...added, { id: 3n, name: "b" }];
		expect(await importLines(store, lines)).toMatchObject({
			outcome: "refused",
			first: [{ line: partRows + 1, field: "id" }],
		});
		expect(await exportAll(store)).toHaveLength(1);
	});

	test("gives an add another id during an import", async () => {
		await using store = await openNewStore(engine);
		const other = await openStore(store.url, { access: "write" });
		await store.catalogue.addPet({ pet: rex });
		const names = Array.from({ length: 3 * partRows }, () => "x");
		let adding: Promise<unknown> | undefined;
		await importNames(store, names, {
			// Animals are inserted and not committed.
			onProgress() {
				adding ??= other.catalogue.addPet({ pet: rex });
			},
		});
		expect(await adding).toMatchObject({ outcome: "added" });
		const ids = (await exportAll(store)).map(({ id }) => id);
		expect(new Set(ids).size).toBe(names.length + 2);
		await other.close();
	});

	test("exports the animals of one moment, filtered, by ascending id", async () => {
		await using store = await openNewStore(engine);
		const other = await openStore(store.url, { access: "write" });
		const statuses = ["sold", "pending"] as const;
		for (let count = 0; count < 6; count++)
			await store.catalogue.addPet({
				pet: {
					...rex,
					name: `Rex ${count}`,
					categoryId: BigInt(count % 3),
					status: statuses[count % 2] ?? "sold",
				},
			});
		const snapshot = await store.openSnapshot({});
		await other.catalogue.addPet({ pet: rex });
		const [pet] = await exportAll(other);
		if (pet !== undefined)
			await other.catalogue.changePets([{ petId: pet.id, set: undefined }]);
		const seen = (await readAll(snapshot, 4)).map(({ id }) => id);
		expect(seen).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
		const idsOf = async (filter: PetFilter) =>
			(await exportAll(store, filter)).map(({ id }) => id);
		expect(await idsOf({ status: "sold" })).toEqual([3n, 5n]);
		expect(await idsOf({ categoryId: 2n })).toEqual([3n, 6n]);
		expect(await idsOf({ status: "pending", categoryId: 2n })).toEqual([6n]);
		expect(await idsOf({ categoryId: 99n })).toEqual([]);
		expect(await idsOf({ name: "REX 2" })).toEqual([3n]);
		expect(await idsOf({ name: "rex", status: "sold" })).toEqual([3n, 5n]);
		await other.close();
	});
});

test("shows nothing of an import into a database in memory that is stopped", async () => {
	const store = await openStore("sqlite::memory:", { access: "create" });
	const ids = Array.from({ length: 5 * partRows }, (_, n) => BigInt(n + 1));
	await store.archive.fill(ids.map((id) => ({ id, ...rex })));
	const lines = ids.map((id) => ({ id, name: "Max" }));
	const controller = new AbortController();
	const importing = importLines(store, lines, {
		signal: controller.signal,
		// All changes are written by then.
		onProgress(count) {
			if (count === ids.length) controller.abort(new OperatorError("stopped"));
		},
	}).catch((error) => error);
	let isDone = false;
	importing.finally(() => {
		isDone = true;
	});
	const seen = new Set<string | undefined>();
	while (!isDone) {
		await nextIteration();
		seen.add((await store.catalogue.getPet(1n))?.name);
	}
	expect(await importing).toMatchObject({ message: "stopped" });
	expect([...seen]).toEqual([rex.name]);
	const id = BigInt(ids.length + 1);
	expect(await store.catalogue.addPet({ pet: rex })).toMatchObject({ id });
	await store.close();
});

const asked = {
	createCategories: false,
	toName: String,
	importId: undefined,
	contentHash: "",
};

function importNames(
	store: Store,
	names: readonly string[],
	options: Partial<ImportOptions> = {},
): Promise<Imported> {
	const lines = names.map((name) => ({ ...rex, name }));
	return importLines(store, lines, options);
}

const exportAll = async (store: Store, filter: PetFilter = {}) =>
	readAll(await store.openSnapshot(filter), 1_000);

async function readAll(snapshot: PetSnapshot, rows: number) {
	const pets: NumberedPet[] = [];
	for (;;) {
		const page = await snapshot.next(rows);
		if (page === undefined) break;
		pets.push(...page);
	}
	await snapshot.close();
	return pets;
}
