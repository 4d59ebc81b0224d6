// Adds and changes of animals while the engine cannot do them, or while another process changes the same animals.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { StoreFailure } from "../../src/domain/errors.ts";
import { toVersionCondition } from "../../src/domain/version.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import { countRows, createDatabase } from "../harness/postgres/server.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { answeredMs, startMs } from "../service.ts";

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;
const first = { id: 1n, ...rex };
const sell = [{ petId: 1n, set: { status: "sold" } }] as const;

describe("sqlite", () => {
	let database: ReturnType<typeof temporaryDatabase>;
	let store: Store;
	beforeEach(async () => {
		database = temporaryDatabase();
		store = await openStore(database.url, { create: true });
		await store.catalogue.addPet({ pet: rex });
	});
	afterEach(async () => {
		await store.close();
		database.remove();
	});

	test("changes an animal when another process frees the lock, or fails and changes nothing", async () => {
		const db = new Database(database.path);
		db.run("BEGIN IMMEDIATE");
		const failed = await failureOf(store.catalogue.changePets(sell));
		expect(failed.wroteNothing).toBe(true);
		const changing = store.catalogue.changePets([
			{ petId: 1n, set: { name: "Max" } },
		]);
		await Bun.sleep(20);
		db.run("COMMIT");
		db.close();
		const max = { ...first, name: "Max" };
		expect(await changing).toMatchObject({ outcome: "changed", pets: [max] });
		expect(await store.catalogue.getPet(1n)).toMatchObject(max);
	});

	test.each(["INSERT ON idempotency_keys", "UPDATE ON pets", "DELETE ON pets"])(
		"stores nothing of a request whose %s fails",
		async (statement) => {
			const { catalogue, archive } = store;
			const before = await Array.fromAsync(archive.read());
			using db = new Database(database.path);
			db.run(
				`CREATE TRIGGER refused BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
			);
			const at = Date.now();
			const idempotency = { owner: "o", key: "k", fingerprint: "f", at };
			const authored = { at, by: { kind: "key", id: "1" } } as const;
			const work = {
				INSERT: () => catalogue.addPet({ pet: rex, idempotency }),
				UPDATE: () => catalogue.changePets(sell, authored),
				DELETE: () =>
					catalogue.changePets([{ petId: 1n, set: undefined }], authored),
			}[statement.slice(0, 6)];
			await expect(work?.()).rejects.toThrow();
			expect(await Array.fromAsync(archive.read())).toEqual(before);
		},
	);
});

describe("postgres", () => {
	let database: Awaited<ReturnType<typeof createDatabase>>;
	let proxy: PostgresProxy;
	let store: Store;
	let other: Client;
	beforeEach(async () => {
		database = await createDatabase();
		proxy = await startProxy(database.url);
		store = await openStore(proxy.url, { create: true });
		await store.catalogue.addPet({ pet: rex });
		other = new Client(database.url);
		await other.connect();
	}, startMs);
	afterEach(async () => {
		await store.close();
		proxy.close();
		await other.end();
		await database.remove();
	});

	/** Runs `work` after another transaction has run `statement`. That transaction commits when so many sessions wait for locks. */
	async function whileOtherChanges<Result>(
		statement: string,
		work: () => Promise<Result>,
		sessions = 1,
	): Promise<Result> {
		await other.query(`BEGIN; ${statement}`);
		const result = work();
		const waiting =
			"SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
		while ((await countRows(database.url, waiting)) < sessions)
			await Bun.sleep(5);
		await other.query("COMMIT");
		return result;
	}
	const rename =
		"UPDATE petstore.pets SET name = 'Max', version = 2 WHERE id = 1";
	const condition = toVersionCondition(1n);

	test("keeps the result of another change that it has waited for", async () => {
		const changed = await whileOtherChanges(rename, () =>
			store.catalogue.changePets(sell),
		);
		const both = { ...first, name: "Max", status: "sold" } as const;
		expect(changed).toMatchObject({ outcome: "changed", pets: [both] });
		expect(await store.catalogue.getPet(1n)).toMatchObject(both);
	});

	test.each([undefined, { status: "sold" }] as const)(
		"compares the version after it has waited for another change (%p)",
		async (set) => {
			expect(
				await whileOtherChanges(rename, () =>
					store.catalogue.changePets([{ petId: 1n, set, condition }]),
				),
			).toMatchObject({
				outcome: "differs",
				index: 0,
				pet: { name: "Max", version: 2n },
			});
			expect(await store.catalogue.getPet(1n)).toMatchObject({
				...first,
				name: "Max",
			});
		},
	);

	test("finds no animal after it has waited for a removal", async () => {
		expect(
			await whileOtherChanges("DELETE FROM petstore.pets", () =>
				store.catalogue.changePets(sell),
			),
		).toEqual({ outcome: "missing", index: 0 });
	});

	test("fails if it waits too long for a lock, and changes nothing", async () => {
		await other.query(`BEGIN; ${rename}`);
		const failed = await failureOf(store.catalogue.changePets(sell));
		expect(failed.wroteNothing).toBe(true);
		await other.query("ROLLBACK");
		expect(await store.catalogue.getPet(1n)).toMatchObject(first);
	});

	test("says that a change whose reply is lost may have been done, and repeats it safely", async () => {
		proxy.dropReplyTo("changePets");
		const failed = await failureOf(store.catalogue.changePets(sell));
		expect(failed.wroteNothing).toBe(false);
		const sold = { ...first, status: "sold" } as const;
		expect(await store.catalogue.changePets(sell)).toMatchObject({
			outcome: "changed",
			pets: [sold],
		});
	});

	test("causes no deadlock when two copies change the same animals in opposite orders", async () => {
		const copy = await openStore(database.url, { create: false });
		for (let count = 0; count < 2; count++)
			await store.catalogue.addPet({ pet: rex });
		const ids = [1n, 2n, 3n];
		const change = (catalogue: Store["catalogue"], petIds: bigint[]) =>
			catalogue.changePets(
				petIds.map((petId) => ({ petId, set: { name: "x" } })),
			);
		// Both wait for the animal in the middle, or one waits for the other.
		const changed = await whileOtherChanges(
			"UPDATE petstore.pets SET name = 'Max' WHERE id = 2",
			() =>
				Promise.all([
					change(store.catalogue, ids),
					change(copy.catalogue, ids.toReversed()),
				]),
			2,
		);
		expect(changed).toMatchObject(Array(2).fill({ outcome: "changed" }));
		// A session publishes its counts at most once a second.
		await other.query("SELECT pg_sleep(1.1)");
		const { rows } = await other.query(
			"SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()",
		);
		expect(rows).toEqual([{ deadlocks: 0 }]);
		await copy.close();
	});
});

/** The failure of the work, which must come in time. */
async function failureOf(work: Promise<unknown>): Promise<StoreFailure> {
	const begun = performance.now();
	const error = await work.catch((error: unknown) => error);
	expect(performance.now() - begun).toBeLessThan(answeredMs);
	if (!(error instanceof StoreFailure)) throw new Error("It did not fail.");
	return error;
}
