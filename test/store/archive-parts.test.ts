// What an archive has besides animals and keys; and replacing a database by one.
import { describe, expect, test } from "bun:test";
import type { Part } from "../../src/store/archive/archive.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { engines, newDatabase } from "./engines.ts";

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;
const max = { name: "Max", categoryId: 2n, status: "sold" } as const;

const removal = {
	...{ position: 7n, petId: 7n, kind: "removed", at: 5, byKind: "key" },
	...{ byId: "1", byName: "n", version: 6n, ...max, addedAt: 4n, addedBy: 1n },
};

const parts: readonly Part[] = [
	{ kind: "epoch", lastId: 9n },
	{ kind: "pets", rows: [{ id: 1n, ...rex }] },
	{ kind: "pets", rows: [2n, 4n].map((id) => ({ id, ...max })) },
	{ kind: "removedIds", rows: [3n, 7n] },
	{ kind: "count", pets: 3 },
	{
		kind: "imports",
		rows: [{ id: "i", animals: 2, finishedAt: 5, contentHash: "" }],
	},
	{ kind: "history", rows: [removal] },
];

describe.each(engines)("%s", (engine) => {
	test("keeps imports, the history and the ids of removed animals", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		await store.archive.write(toStream(parts));
		const read = await readAll(store);
		expect(rowsOf(read, "imports")).toEqual([
			{ id: "i", animals: 2, finishedAt: 5, contentHash: "" },
		]);
		expect(rowsOf(read, "history")).toEqual([removal]);
		expect(rowsOf(read, "removedIds")).toEqual([3n, 7n]);
		expect(rowsOf(read, "pets")).toMatchObject([
			{ id: 1n, ...rex },
			{ id: 2n, ...max },
			{ id: 4n, ...max },
		]);
		await store.close();
		await remove();
	});

	test("writes nothing if animals are missing", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		const wrong: Part[] = [...parts, { kind: "count", pets: 4 }];
		await expect(store.archive.write(toStream(wrong))).rejects.toThrow(
			"Animals read: 4, written: 3.",
		);
		expect(rowsOf(await readAll(store), "pets")).toEqual([]);
		await store.close();
		await remove();
	});

	test("replaces a database as a whole, ends its sessions, and assigns no id twice", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { create: true });
		for (let count = 0; count < 12; count++)
			await store.catalogue.addPet({ pet: max });
		const { record } = makeKey();
		await store.keys.add(record);
		await store.sessions.add({ ...session, hash: "s" });
		const failing = async function* (): AsyncGenerator<Part> {
			yield* parts;
			throw new Error("the source is gone");
		};
		await expect(store.archive.replace(failing())).rejects.toThrow("gone");
		expect(await store.catalogue.getPet(12n)).toMatchObject({
			id: 12n,
			...max,
		});
		expect(await store.keys.find(record.hash)).toBeDefined();

		await store.archive.replace(toStream(parts));
		expect(await store.keys.find(record.hash)).toBeUndefined();
		expect(await store.sessions.find("s")).toBeUndefined();
		const read = await readAll(store);
		expect(rowsOf(read, "pets")).toHaveLength(3);
		expect(rowsOf(read, "removedIds")).toEqual([
			...[3n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n],
		]);
		expect(await store.catalogue.addPet({ pet: rex })).toEqual({
			outcome: "added",
			id: 13n,
		});
		await store.close();
		await remove();
	});
});

const session = { keyHash: undefined, createdAt: Date.now() };

async function* toStream(stream: readonly Part[]): AsyncGenerator<Part> {
	yield* stream;
}

async function readAll(store: Store): Promise<Part[]> {
	const read: Part[] = [];
	for await (const part of store.archive.read())
		read.push(part.kind === "epoch" ? { ...part, id: "", base: 0n } : part);
	return read;
}

function rowsOf(read: readonly Part[], kind: Part["kind"]): unknown[] {
	return read.flatMap((part): readonly unknown[] =>
		part.kind === kind && "rows" in part ? part.rows : [],
	);
}
