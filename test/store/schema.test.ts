// The schema of a database: the steps that lead to it, and the databases that are refused.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { prepareSchema as preparePostgres } from "../../src/store/postgres/schema.ts";
import { schemaSteps } from "../../src/store/schema.ts";
import { prepareSchema as prepareSqlite } from "../../src/store/sqlite/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { toSchema } from "../../src/store/tables.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { type Engine, engines, newDatabase, toPath } from "./engines.ts";

describe.each(engines)("%s", (engine) => {
	test("runs a further step once, and keeps the animals", async () => {
		const { url, remove } = await newDatabase(engine);
		await addRex(url);
		const step = "ALTER TABLE pets ADD born_at INTEGER";
		for (let start = 0; start < 2; start++) {
			await migrate(engine, url, step);
			expect(await readRows(engine, url, bornAt)).toEqual([
				{ name: "Rex", born_at: null },
			]);
		}
		// It has a newer schema than this version knows.
		await expect(openStore(url, { access: "create" })).rejects.toThrow(
			/schema 2 of a newer version/,
		);
		await expect(openStore(url, { access: "read" })).rejects.toThrow(
			/newer version/,
		);
		await remove();
	});

	test("rolls a step that fails back", async () => {
		const { url, remove } = await newDatabase(engine);
		const failing =
			"ALTER TABLE pets ADD born_at INTEGER; SELECT * FROM missing";
		await addRex(url);
		await expect(migrate(engine, url, failing)).rejects.toThrow(/missing/);
		await expect(readRows(engine, url, bornAt)).rejects.toThrow(/born_at/);
		const reader = await openStore(url, { access: "read" });
		expect(await reader.catalogue.getPet(1n)).toMatchObject(rex);
		expect(await reader.describe()).toMatchObject({ schema: 1 });
		await reader.close();
		await remove();
	});
});

const bornAt = "SELECT name, born_at FROM petstore.pets";

/** Together with the tables, add a step to `schemaSteps`. */
test("has the tables of 1.0.0", () => {
	expect(Bun.hash.crc32(toSchema())).toBe(0xe01fe844);
	expect(schemaSteps).toEqual([]);
});

describe("Databases of earlier checkouts", () => {
	test.each([0x70657473, 0])(
		"refuses a SQLite file with the mark %d and its WAL, byte for byte unchanged",
		async (mark) => {
			const [folder, killed] = [temporaryFolder(), temporaryFolder()];
			const db = new Database(`${folder.path}/petstore.db`);
			db.run("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)");
			db.run(`PRAGMA application_id = ${mark}`);
			db.run("PRAGMA journal_mode = WAL");
			db.run("INSERT INTO pets VALUES (1, 'Rex')");
			// As a killed service has left it.
			cpSync(folder.path, killed.path, { recursive: true });
			db.close();
			const before = readFiles(killed.path);
			expect(before.map(([name]) => name)).toContain("petstore.db-wal");
			await expectRefused(`sqlite:${killed.path}/petstore.db`);
			expect(readFiles(killed.path)).toEqual(before);
			folder.remove();
			killed.remove();
		},
	);

	test.each([
		"CREATE TABLE petstore.schema_mark AS SELECT 1 AS mark, 1 AS version",
		"",
	])(
		"refuses tables of PostgreSQL with another mark or none, unchanged: %p",
		async (mark) => {
			const { url, remove } = await newDatabase("postgres");
			await execute(
				url,
				`CREATE SCHEMA petstore; CREATE TABLE petstore.pets AS SELECT 1 AS id; ${mark}`,
			);
			const before = await readRows("postgres", url, relations);
			await expectRefused(url);
			expect(await readRows("postgres", url, relations)).toEqual(before);
			await remove();
		},
	);
});

const relations =
	"SELECT relname, pg_relation_filenode(oid) FROM pg_class WHERE relnamespace = to_regnamespace('petstore') ORDER BY 1";

/** Neither a service nor a command that reads uses it. */
async function expectRefused(url: string): Promise<void> {
	for (const open of [
		() => openStore(url, { access: "create" }),
		() => openStore(url, { access: "read" }),
	])
		await expect(open()).rejects.toThrow(/earlier checkout/);
}

function readFiles(folder: string) {
	return readdirSync(folder)
		.sort()
		.map((name) => [name, Bun.hash(readFileSync(`${folder}/${name}`))]);
}

async function addRex(url: string): Promise<void> {
	const store = await openStore(url, { access: "create" });
	await store.catalogue.addPet({ pet: rex });
	await store.close();
}

/** As a later version, with a second step. */
async function migrate(
	engine: Engine,
	url: string,
	step: string,
): Promise<void> {
	if (engine === "sqlite") {
		using db = new Database(toPath(url), { create: true });
		return prepareSqlite(db, url, "create", [...schemaSteps, step]);
	}
	await withClient(url, async (client) => {
		await client.query("SET search_path = petstore");
		await preparePostgres(client, url, "create", [...schemaSteps, step]);
	});
}

async function readRows(
	engine: Engine,
	url: string,
	sql: string,
): Promise<unknown[]> {
	const [sqlite = "", postgres = sql] = sql.split(" UNION ALL ");
	if (engine === "postgres")
		return withClient(
			url,
			async (client) => (await client.query(postgres)).rows,
		);
	using db = new Database(toPath(url));
	return db.query(sqlite.replaceAll("petstore.", "")).all();
}

async function withClient<Result>(
	url: string,
	use: (client: Client) => Promise<Result>,
): Promise<Result> {
	const client = new Client(url);
	await client.connect();
	try {
		return await use(client);
	} finally {
		await client.end();
	}
}
