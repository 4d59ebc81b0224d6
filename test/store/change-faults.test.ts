// Adds and changes of animals while the engine cannot do them, or while another process changes the same animals.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { StoreFailure } from "../../src/domain/errors.ts";
import { toVersionCondition } from "../../src/domain/version.ts";
import { all } from "../../src/store/database/sql.ts";
import { tableNames, toSqlName } from "../../src/store/database/tables.ts";
import { writerLock } from "../../src/store/postgres/connection.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import { countRows, createDatabase } from "../harness/postgres/server.ts";
import { answeredMs, startMs } from "../service.ts";
import { holdLock, openNewStore, toPath } from "./engines.ts";

const first = { id: 1n, ...rex };
const sell = [{ petId: 1n, set: { status: "sold" } }] as const;

describe("sqlite", () => {
	/** The rows of all tables. */
	const readAll = ({ archive }: Store) =>
		archive.read(function* () {
			const rows: unknown[] = [];
			for (const name of tableNames)
				rows.push(
					yield* all("read next rows", `SELECT * FROM ${toSqlName(name)}`),
				);
			return rows;
		});

	test("changes an animal when another process frees the lock, or fails and changes nothing", async () => {
		await using store = await openNewStore("sqlite");
		await store.catalogue.addPet({ pet: rex });
		const release = await holdLock(store.url);
		const failed = await failureOf(store.catalogue.changePets(sell));
		expect(failed.wroteNothing).toBe(true);
		const changing = store.catalogue.changePets([
			{ petId: 1n, set: { name: "Max" } },
		]);
		await Bun.sleep(20);
		await release();
		const max = { ...first, name: "Max" };
		expect(await changing).toMatchObject({ outcome: "changed", pets: [max] });
		expect(await store.catalogue.getPet(1n)).toMatchObject(max);
	});

	test.each(["INSERT ON idempotency_keys", "UPDATE ON pets", "DELETE ON pets"])(
		"stores nothing of a request whose %s fails",
		async (statement) => {
			await using store = await openNewStore("sqlite");
			const { catalogue } = store;
			await catalogue.addPet({ pet: rex });
			const before = await readAll(store);
			using db = new Database(toPath(store.url));
			db.run(
				`CREATE TRIGGER refused BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
			);
			const at = Date.now();
			const idempotency = { owner: "o", key: "k", fingerprint: "f", at };
			const authored = { at, by: "1:Ada" };
			const work = {
				INSERT: () => catalogue.addPet({ pet: rex, idempotency }),
				UPDATE: () => catalogue.changePets(sell, authored),
				DELETE: () =>
					catalogue.changePets([{ petId: 1n, set: undefined }], authored),
			}[statement.slice(0, 6)];
			await expect(work?.()).rejects.toThrow();
			expect(await readAll(store)).toEqual(before);
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
		store = await openStore(proxy.url, { access: "create" });
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

	/** Runs `work` after another transaction has run `statement`. That transaction commits when a session waits for it. */
	async function whileOtherChanges<Result>(
		statement: string,
		work: () => Promise<Result>,
	): Promise<Result> {
		await other.query(`BEGIN; SELECT ${writerLock}; ${statement}`);
		const result = work();
		const waiting =
			"SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
		while ((await countRows(database.url, waiting)) === 0) await Bun.sleep(5);
		await other.query("COMMIT");
		return result;
	}
	const rename =
		"UPDATE petstore.pets SET name = 'Max', version = 2 WHERE id = 1";
	const condition = toVersionCondition(1n);

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

	test("says that a change whose reply is lost may have been done, and repeats it safely", async () => {
		proxy.dropReplyTo("COMMIT");
		const failed = await failureOf(store.catalogue.changePets(sell));
		expect(failed.wroteNothing).toBe(false);
		const sold = { ...first, status: "sold" } as const;
		expect(await store.catalogue.changePets(sell)).toMatchObject({
			outcome: "changed",
			pets: [sold],
		});
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
