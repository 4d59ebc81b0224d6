// The schema of a database: the steps that lead to it, and the databases that are refused.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import type { Access } from "../../src/store/database/engine.ts";
import { schemaSteps } from "../../src/store/database/schema.ts";
import { schemaMark, toSchema } from "../../src/store/database/tables.ts";
import {
	prepareSchema as preparePostgres,
	toPostgresText,
} from "../../src/store/postgres/schema.ts";
import { openBackupFile } from "../../src/store/sqlite/backup-file.ts";
import { prepareSchema as prepareSqlite } from "../../src/store/sqlite/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { openSql, restore } from "../harness/backup.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";
import {
	type Engine,
	engines,
	executeOn,
	newDatabase,
	toPath,
} from "./engines.ts";

/** What 1.0.0 makes. A later release with other tables adds a file of its own. */
const earlier = readFileSync("test/fixtures/schema-1.sql", "utf8");
const newest = schemaSteps.length + 1;

describe.each(engines)("%s", (engine) => {
	test("a database of 1.0.0 keeps its animals with their history, and works on", async () => {
		const { url, remove } = await newDatabase(engine);
		await makeEarlier(engine, url);
		const store = await openStore(url, { access: "create" });
		const query = { maxPosition: 9n, limit: 9 };
		const history = await store.history.readOf(1n, query);
		expect(history?.entries.map(({ pet }) => pet)).toMatchObject([
			{ ...rex, status: "sold", version: 2n },
			{ ...rex, version: 1n },
		]);
		await store.catalogue.changePets([{ petId: 1n, set: rex }]);
		await store.catalogue.addPet({ pet: rex });
		expect(await store.check()).toMatchObject({ animals: 2, findings: [] });
		await store.close();
		await remove();
	});

	test("runs a further step once, or not at all if it fails, and refuses a schema that it cannot use", async () => {
		const { url, remove } = await newDatabase(engine);
		await (await openStore(url, { access: "create" })).close();
		// A second run would find the column.
		const step = "ALTER TABLE pets ADD born_at INTEGER";
		const failing = migrate(engine, url, `${step}; SELECT * FROM missing`);
		await expect(failing).rejects.toThrow(/missing/);
		await expect(migrate(engine, url, step, "read")).rejects.toThrow(
			`schema ${newest} of an earlier version`,
		);
		for (let start = 0; start < 2; start++) await migrate(engine, url, step);
		for (const access of ["create", "read"] as const)
			await expect(openStore(url, { access })).rejects.toThrow(
				`schema ${newest + 1} of a newer version`,
			);
		await remove();
	});
});

test("the steps make the tables of 1.0.0 those of tables.ts", () => {
	using db = new Database(":memory:");
	db.run([earlier, ...schemaSteps].join(";"));
	using fresh = new Database(":memory:");
	fresh.run(toSchema());
	expect(toWords(db)).toEqual(toWords(fresh));
});

/** What a table or an index is made of, in any order: a step adds a column at the end. */
function toWords(db: Database) {
	const rows = db.query("SELECT name, sql FROM sqlite_schema ORDER BY name");
	return rows
		.values()
		.map(([name, sql]) => [name, `${sql}`.split(/\W+/).sort()]);
}

test("a backup of an earlier version can be restored: columns that it lacks are empty", async () => {
	const { url, remove } = temporaryDatabase();
	await makeEarlier("sqlite", url);
	using backup = openBackupFile(toPath(url));
	expect(backup.check()).toMatchObject({
		...{ animals: 1, problems: 0, note: expect.any(String) },
	});
	const store = await openStore("sqlite::memory:", { access: "create" });
	await restore(store, toPath(url));
	expect(await store.catalogue.getPet(1n)).toMatchObject({
		status: "sold",
	});
	await store.close();
	remove();
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
			const before = await readRelations(url);
			await expectRefused(url);
			expect(await readRelations(url)).toEqual(before);
			await remove();
		},
	);
});

async function readRelations(url: string): Promise<readonly unknown[]> {
	const sql = await openSql(url);
	const found = await sql.all(`SELECT relname, pg_relation_filenode(oid)
		FROM pg_class WHERE relnamespace = to_regnamespace('petstore') ORDER BY 1`);
	await sql.close();
	return found;
}

/** Neither a service nor a command that reads uses it. */
async function expectRefused(url: string): Promise<void> {
	for (const access of ["create", "read"] as const)
		await expect(openStore(url, { access })).rejects.toThrow(
			/earlier checkout/,
		);
}

function readFiles(folder: string) {
	return readdirSync(folder)
		.sort()
		.map((name) => [name, Bun.hash(readFileSync(`${folder}/${name}`))]);
}

/** As a later version, with one more step. */
async function migrate(
	engine: Engine,
	url: string,
	step: string,
	access: Access = "create",
): Promise<void> {
	const steps = [...schemaSteps, step];
	if (engine === "sqlite") {
		using db = new Database(toPath(url), { create: true });
		return prepareSqlite(db, url, access, steps);
	}
	const client = new Client(url);
	await client.connect();
	await client.query("SET search_path = petstore");
	const preparing = preparePostgres(client, url, access, steps);
	await preparing.finally(() => client.end());
}

/** What 1.0.0 leaves. */
async function makeEarlier(engine: Engine, url: string): Promise<void> {
	const sql =
		engine === "sqlite"
			? `PRAGMA application_id = ${schemaMark}; PRAGMA user_version = 1; ${earlier}`
			: `CREATE SCHEMA petstore; SET search_path = petstore;
				CREATE TABLE schema_mark AS SELECT ${schemaMark} AS mark, 1 AS version; ${toPostgresText(earlier)}`;
	await executeOn(engine, url, () => [sql]);
}
