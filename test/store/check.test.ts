// What the check of a database finds, on both engines in the same words. test/cli/backup.test.ts has the command, and damaged pages.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { makeKey } from "../harness/key.ts";
import { execute } from "../harness/postgres/server.ts";
import { startMs } from "../service.ts";
import {
	engines,
	isFile,
	newDatabase,
	type Database as Owned,
	toPath,
} from "./engines.ts";

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

describe.each(engines)("%s", (engine) => {
	let database: Owned;
	beforeEach(async () => {
		database = await newDatabase(engine);
		await fill(database.url);
	}, startMs);
	afterEach(() => database.remove());
	const damage = (...statements: readonly string[]) =>
		change(database.url, statements);
	const findings = () => findingsOf(database.url);

	describe("Check", () => {
		test("finds values that a later step cannot use", async () => {
			expect(await findings()).toEqual([]);
			const late = "8640000000000001";
			await damage(
				`UPDATE keys SET created_at = ${late} WHERE id = 1`,
				"UPDATE keys SET expires_at = -1 WHERE id = 2",
				`INSERT INTO keys (id, name, hash, prefix, scope, created_at) VALUES (9007199254740993, 'x', 'x', 'x', 'read', 1)`,
				`UPDATE idempotency_keys SET used_at = ${late}`,
				`UPDATE sessions SET last_used_at = ${late}`,
				"UPDATE usage SET period = 'day' WHERE period = '1 hour'",
				"UPDATE usage SET starts_at = -60000, requests = -1, d3 = 9007199254740992 WHERE period = 'minute'",
				`INSERT INTO imports VALUES ('x', -1, ${late}, 'x')`,
				`INSERT INTO sign_in_links (hash, expires_at) VALUES ('x', ${late})`,
				`INSERT INTO history (position, pet_id, kind, at, by_kind) VALUES (99, 2, 'sold', ${late}, 'nobody')`,
				"INSERT INTO categories VALUES (-7, '', '')",
				"UPDATE catalogue SET id = 'Shop', feed_base = '1e9'",
				`UPDATE pets SET version = 99, added_at = ${late} WHERE id = 1`,
				"INSERT INTO changes VALUES (1, 1, 'changed')",
			);
			expect((await findings()).toSorted()).toEqual(
				[
					"feed: its base must be a number of at most 39 digits.",
					"catalogue: its id must have 8 hexadecimal digits.",
					"animal 1: its version must be from 1 to 3, the last number that was assigned.",
					"animal 1: the time of its add is out of range.",
					"animal 1: its version differs from its position in the feed.",
					"an Idempotency-Key of animal 1: its time is out of range.",
					"key 9007199254740993: its id must be from 1 to 9007199254740991.",
					// SQLite moves it with the key.
					...(engine === "sqlite"
						? [
								"counter of keys: it must be at most 9007199254740991, found 9007199254740993.",
							]
						: []),
					"key 1: a time is out of range.",
					"key 2: a time is out of range.",
					"session of 1: a time is out of range.",
					"usage of 3600000: its period is unknown.",
					"usage of -60000: its time is out of range.",
					"usage of -60000: a number is out of range.",
					`import of ${late}: its time or number of animals is out of range.`,
					"category -7: its name must have 1 to 100 characters.",
					`import of ${late}: the hash of its content is malformed.`,
					`link that expires at ${late}: its expiry is out of range.`,
					"history, position 99: it must be from 1 to 3, the last that was assigned.",
					"history, position 99: its kind is unknown.",
					"history, position 99: its author is unknown.",
					"history, position 99: a time is out of range.",
					"history, position 99: the animal before is incomplete.",
					"history, position 99: it is above the version of its animal.",
				].toSorted(),
			);
		});

		test("finds a counter of keys and a base of the feed that leave no room", async () => {
			await damage(
				engine === "sqlite"
					? "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'keys'"
					: "SELECT setval('keys_id_seq', 9223372036854775807)",
				`UPDATE catalogue SET feed_base = '${10n ** 39n}'`,
			);
			expect(await findings()).toEqual([
				"feed: its base must be a number of at most 39 digits.",
				"counter of keys: it must be at most 9007199254740991, found 9223372036854775807.",
			]);
		});

		test("finds a second row of the feed's base", async () => {
			await damage(
				...(engine === "sqlite"
					? ["PRAGMA ignore_check_constraints = ON"]
					: ["ALTER TABLE catalogue DROP CONSTRAINT catalogue_one_check"]),
				"INSERT INTO catalogue (one, id, feed_base) SELECT 2, id, feed_base FROM catalogue",
			);
			expect(await findings()).toContain("feed: expected 1 base row, found 2.");
		});

		test("finds a missing table that the check of rows needs", async () => {
			await damage("DROP TABLE changes");
			const found = await findings();
			expect(found.at(-1)).toMatch(
				/^The (file|database) cannot be read: .+\.$/,
			);
		});
	});
});

describe("Check", () => {
	test("finds leftover rows in an index of SQLite, even if it has a condition", async () => {
		const { url, remove } = await newDatabase("sqlite");
		await fill(url);
		const sql = "DELETE FROM pets WHERE id = 2";
		await changeWithoutIndex(url, "pets_available", sql);
		expect(await findingsOf(url)).toEqual([
			"index pets_available: its row count is 3, expected 2.",
		]);
		await remove();
	});

	test("finds counters of SQLite that are no whole numbers, and texts that PostgreSQL cannot store", async () => {
		const { url, remove } = await newDatabase("sqlite");
		await fill(url);
		await change(url, [
			"UPDATE sqlite_sequence SET seq = 3.5 WHERE name = 'pets'",
			"INSERT INTO sqlite_sequence VALUES ('keys', 'x')",
			"UPDATE keys SET name = 'a' || char(0) || 'b' WHERE id = 1",
			"UPDATE keys SET prefix = CAST(x'ff' AS TEXT) WHERE id = 2",
			"UPDATE idempotency_keys SET key = 'Zoë'",
		]);
		expect(await findingsOf(url)).toEqual([
			"counter of keys: expected one whole number, found 2 and 'x'.",
			"counter of pets: expected one whole number, found 3.5.",
			"keys: name must not contain the character U+0000.",
			"keys: prefix is not UTF-8.",
		]);
		await remove();
	});

	test("finds rows that an index of PostgreSQL lacks", async () => {
		const { url, remove } = await newDatabase("postgres");
		await fill(url);
		const setReady = (isReady: boolean) =>
			execute(
				url,
				`UPDATE pg_index SET indisready = ${isReady} WHERE indexrelid IN
				('petstore.pets_by_status'::regclass, 'petstore.keys_hash_key'::regclass)`,
			);
		await setReady(false);
		await change(url, [
			"INSERT INTO pets VALUES (nextval('petstore.pet_ids'), 'x', 1, 'sold')",
			"UPDATE keys SET hash = repeat('0', 64) WHERE id = 2",
		]);
		await setReady(true);
		expect(await findingsOf(url)).toEqual([
			"index keys_hash_key: its row count is 1, expected 2.",
			"index pets_by_status: its row count is 3, expected 4.",
		]);
		await remove();
	});
});

/** Three animals, two keys, and a row in each other table. */
async function fill(url: string): Promise<void> {
	const store = await openStore(url, { create: true });
	const { hash } = await store.keys.add(makeKey().record);
	await store.keys.add(makeKey().record);
	const again = { owner: hash, key: "k", fingerprint: hash, at: Date.now() };
	await store.catalogue.addPet({ pet: rex, idempotency: again });
	for (let count = 0; count < 2; count++)
		await store.catalogue.addPet({ pet: rex });
	await store.sessions.add({ hash, keyHash: undefined, createdAt: 1 });
	await store.usage.add([
		{
			at: 3_600_000,
			key: "1",
			operation: "listPets",
			status: 200,
			requests: 1,
			durations: Array.from({ length: 15 }, () => 0),
		},
	]);
	await store.close();
}

async function findingsOf(url: string): Promise<readonly string[]> {
	const reader = await openStoreReader(url);
	try {
		return (await reader.check()).findings;
	} finally {
		await reader.close();
	}
}

/** On PostgreSQL the statements need no name of the schema. */
async function change(
	url: string,
	statements: readonly string[],
): Promise<void> {
	if (!isFile(url))
		return execute(
			url,
			["SET search_path = petstore", ...statements].join(";\n"),
		);
	const db = new Database(toPath(url));
	for (const statement of statements) db.run(statement);
	db.close();
}

/** Changes a SQLite file, and then brings the page of an index back as it was. */
async function changeWithoutIndex(
	url: string,
	name: string,
	sql: string,
): Promise<void> {
	const db = new Database(toPath(url), { readonly: true });
	const root = db
		.query<{ page: number }, [string]>(
			"SELECT rootpage AS page FROM sqlite_schema WHERE name = ?",
		)
		.get(name);
	db.close();
	const at = ((root?.page ?? 1) - 1) * 4096;
	const page = readFileSync(toPath(url)).subarray(at, at + 4096);
	await change(url, [sql]);
	const bytes = readFileSync(toPath(url));
	bytes.set(page, at);
	writeFileSync(toPath(url), bytes);
}
