// Upgrading databases of older schemas, as test/fixtures has them, and going back, as docs/upgrade.md says.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, renameSync } from "node:fs";
import { Client } from "pg";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { migrations as postgresMigrations } from "../../src/store/postgres/schema.ts";
import { migrateQuickly } from "../../src/store/sqlite/quick-migration.ts";
import {
	migrate,
	migrations as sqliteMigrations,
} from "../../src/store/sqlite/schema.ts";
import { execute } from "../harness/postgres/server.ts";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service, startMs } from "../service.ts";
import { engines, type Database as Owned } from "./engines.ts";
import {
	change,
	fixtures,
	isFile,
	loadFixture,
	loadOnOwnServer,
	toPath,
} from "./fixtures.ts";

const keys = {
	writer: "pet_sJlelb6eZnLWiUCj31T0Ln8fESXwNhFD3MO9ad",
	reader: "pet_smGMQm0WFjlcTcWFOT5EK9YwwAGN89rI1qlREK",
	revoked: "pet_H9pGhgjv7DmMv5pycTBBgL5Gw2VoF20E2x0rkg",
	unused: "pet_T9dvK4qBnCJJ8O4EH2H2EZ0HFRlTpHEs1g1g3A",
};

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

/** Of the fixtures with schema 4. */
const feedBases = { sqlite: 244267675025408n, postgres: 2485703732625408n };

/** Of the fixture schema-4. */
const fixed = { sqlite: 4, postgres: 3 };

const newest = {
	sqlite: sqliteMigrations.length,
	postgres: postgresMigrations.length,
};

/** As the old program listed them. */
const animals = [
	'{"id":9007199254740993,"name":"Beyond 2^53","categoryId":0,"status":"available"}',
	'{"id":4,"name":"Zoë 🐈 \\"quoted\\" \\\\ \\u0001 İ","categoryId":9007199254740993,"status":"available"}',
	'{"id":3,"name":"Bo","categoryId":9223372036854775807,"status":"sold"}',
	'{"id":2,"name":"Mia","categoryId":-9223372036854775808,"status":"pending"}',
	'{"id":1,"name":"Rex","categoryId":1,"status":"available"}',
] as const;

describe.each(engines)("%s", (engine) => {
	describe("Upgrading", () => {
		let database: Owned;
		let service: Service;
		beforeAll(async () => {
			database = await loadFixture(engine, "0.1.0");
			service = await openService("in process", { databaseUrl: database.url });
		}, startMs);
		afterAll(async () => {
			await service.close();
			await database.remove();
		});
		const call = (key: string, path: string, body?: string, repeat = "") =>
			service.call(path, {
				authorization: `Bearer ${key}`,
				...(body !== undefined && { method: "POST", body }),
				headers: { "Idempotency-Key": repeat || undefined },
			});

		test("keeps every animal, byte for byte, in lists of all and of one status", async () => {
			const list = async (query: string) =>
				(await call(keys.reader, `/v1/pets${query}`)).text();
			expect(await list("")).toBe(`[${animals.join()}]`);
			const [beyond, zoe, sold, pending, rex] = animals;
			expect(await list("?status=available")).toBe(`[${beyond},${zoe},${rex}]`);
			expect(await list("?status=pending")).toBe(`[${pending}]`);
			expect(await list("?status=sold")).toBe(`[${sold}]`);
		});

		test("keeps the keys with their scopes, ends, last use and revocations", async () => {
			const [writer, reader, revoked, unused] = await service.store.keys.list();
			expect(writer).toMatchObject({
				id: 1,
				name: "the shop's writer",
				scope: "read-write",
				lastUsedAt: 1_794_839_517_508,
			});
			expect(reader).toMatchObject({ id: 2, expiresAt: Date.UTC(2100, 0) });
			expect(revoked).toMatchObject({ id: 3, revokedAt: 1_794_839_535_485 });
			expect(unused?.lastUsedAt).toBeUndefined();
			await expectError(
				await call(keys.revoked, "/v1/pets"),
				"unauthenticated",
			);
			await expectError(await call(keys.reader, "/v1/pets", "{}"), "forbidden");
		});

		test("answers a repeated add as before, and refuses another animal under its Idempotency-Key", async () => {
			const [, zoe] = animals;
			const text = zoe.replace('"id":4,', "");
			const again = await call(keys.writer, "/v1/pets", text, "repeated");
			expect([again.status, await again.text()]).toEqual([201, zoe]);
			const other = text.replace("Zoë", "Zoe");
			await expectError(
				await call(keys.writer, "/v1/pets", other, "repeated"),
				"idempotency_mismatch",
			);
		});

		test("assigns ids after the last one of the old version, even if its animal was removed since", async () => {
			const body = '{"name":"New","categoryId":1}';
			const added = await call(keys.unused, "/v1/pets", body);
			expect(await added.text()).toStartWith('{"id":9007199254740995,');
		});

		test("puts all animals into the feed, and passes the check", async () => {
			let text = "";
			// A transaction of another test on the same server delays the feed.
			while (!text.includes('"pet":'))
				text = await (await call(keys.reader, "/operator/v1/changes")).text();
			for (const animal of animals) {
				const { 1: id } = /^\{"id":(\d+)/.exec(animal) ?? [];
				expect(text).toContain(`${animal.slice(0, -1)},"version":${id}}`);
			}
			const reader = await openStoreReader(database.url);
			expect(await reader.check()).toMatchObject({ findings: [], count: 0 });
			await reader.close();
		});
	});

	describe("Upgrading", () => {
		test("lets a reader of the feed of schema 4 go on where it was", async () => {
			const database = await loadFixture(engine, "schema-4");
			const store = await openStore(database.url, { create: false });
			const read = async (after: bigint) => {
				const query = { after, limit: 100, maxBytes: 1_000_000 };
				const page = await store.feed.read(query);
				if (page === "gone") throw new Error("The position is gone.");
				return page.entries.map(({ kind, petId, pet }) => [
					...[kind, petId, pet?.name],
				]);
			};
			const base = feedBases[engine];
			expect(await read(base + 5n)).toEqual([
				["changed", 2n, "Mia"],
				["removed", 3n, undefined],
				["changed", 1n, "Rexi"],
				["added", 500n, "Late"],
				["added", 1000n, "Imported"],
				["added", 500n, "Late"],
			]);
			expect(await read(base + 1001n)).toEqual([]);
			const added = await store.catalogue.addPet({ pet: rex });
			expect(added).toEqual({ outcome: "added", id: 1002n });
			await store.close();
			const reader = await openStoreReader(database.url);
			expect(await reader.check()).toMatchObject({ findings: [], count: 0 });
			await reader.close();
			await database.remove();
		});
	});

	describe("Version of an animal", () => {
		test("gives an animal of schema 4 its last feed position or its id as version, and no time or key", async () => {
			const database = await loadFixture(engine, "schema-4");
			const store = await openStore(database.url, { create: false });
			const base = feedBases[engine];
			const query = { after: 0n, limit: 100, maxBytes: 1_000_000 };
			const page = await store.feed.read(query);
			if (page === "gone") throw new Error("The position is gone.");
			const last = new Map(
				page.entries.map(({ petId, position }) => [petId, position - base]),
			);
			for (const id of [1n, 2n, 4n, 500n, 1000n]) {
				const pet = await store.catalogue.getPet(id);
				expect(pet).toMatchObject({ addedAt: null, addedBy: null });
				expect([id, pet?.version]).toEqual([id, last.get(id)]);
				expect(pet?.epoch).toBe(`${base}`);
			}
			expect(last.get(1n)).toBeGreaterThan(4n);
			expect(last.get(500n)).toBe(1001n);
			const changed = await store.catalogue.changePets([
				{ petId: 4n, set: { name: "Changed" } },
			]);
			expect(changed).toMatchObject({ pets: [{ version: 1002n }] });
			await store.close();
			await database.remove();
		});
	});

	describe("Upgrading", () => {
		test("says once at a start what it has migrated", async () => {
			const database = await loadFixture(engine, "0.1.0");
			const folder = temporaryFolder();
			const service = await serve(["--database", database.url], {
				cwd: folder.path,
			});
			service.kill("SIGTERM");
			const { stderr } = await service.finished;
			const lines = stderr
				.split("\n")
				.filter((line) => line.includes("migrated"))
				.map((line) => JSON.parse(line));
			expect(lines).toEqual([
				{
					level: "info",
					time: expect.any(String),
					from: 1,
					to: newest[engine],
					ms: expect.any(Number),
					msg: "the database was migrated",
					...(isFile(database.url) && toWay(toPath(database.url))),
				},
			]);
			await database.remove();
			folder.remove();
		});

		test.each([
			[["keys", "create", "--name", "x"]],
			[["import", "-", "--format", "csv"]],
		])("%p says what it has migrated", async (args) => {
			const database = await loadFixture(engine, "schema-4");
			const folder = temporaryFolder();
			const { stderr } = await run([...args, "--database", database.url], {
				cwd: folder.path,
			});
			expect(stderr).toMatch(
				new RegExp(
					`^The database was migrated from schema ${fixed[engine]} to ${newest[engine]} in \\d+ ms\\.$`,
					"m",
				),
			);
			await database.remove();
			folder.remove();
		});
	});

	describe("Going back", () => {
		let database: Owned;
		const folder = temporaryFolder();
		const backup = `${folder.path}/before-the-upgrade.db`;
		const petstore = (...args: string[]) =>
			run(args, {
				cwd: folder.path,
				env: { PETSTORE_DATABASE: database.url },
			});
		beforeAll(async () => {
			database = await loadFixture(engine, "0.1.0");
			await petstore("backup", backup);
			await setSchema(database.url, 99);
		}, startMs);
		afterAll(async () => {
			await database.remove();
			folder.remove();
		});

		test("refuses the database of a newer program, and names the way back", async () => {
			for (const args of [["serve"], ["keys", "list"], ["restore", backup]])
				expect(await petstore(...args, "--database", database.url)).toEqual({
					status: 1,
					stdout: "",
					stderr: expect.stringMatching(
						/^petstore: .+ has schema 99 of a newer version; this version knows schema \d+\. Use the newer version, or restore a backup from before the upgrade\.\n$/,
					),
				});
		});

		test("refuses a backup of a newer program too", async () => {
			const newer = `${folder.path}/after-the-upgrade.db`;
			copyFileSync(backup, newer);
			await setSchema(`sqlite:${newer}`, 99);
			const { status, stderr } = await petstore("restore", newer);
			expect([status, stderr]).toEqual([
				...[1, expect.stringContaining("has schema 99 of a newer version")],
			]);
		});

		test("restores the backup from before the upgrade beside the newer database", async () => {
			await moveAway(database.url);
			const { status } = await petstore("restore", backup);
			expect(status).toBe(0);
			const service = await openService("in process", {
				databaseUrl: database.url,
			});
			const list = await service.call("/v1/pets", {
				authorization: `Bearer ${keys.reader}`,
			});
			expect(await list.text()).toBe(`[${animals.join()}]`);
			await service.close();
		});
	});
});

describe("Upgrading", () => {
	test.each(fixtures)(
		"gives a SQLite file of %s the same schema and versions by the quick and the slow migration",
		async (fixture) => {
			const [quick, slow] = [
				await loadFixture("sqlite", fixture),
				await loadFixture("sqlite", fixture),
			];
			expect(migrateQuickly(toPath(quick.url))).toMatchObject({
				to: newest.sqlite,
			});
			const contents = [quick, slow].map(({ url }, index) => {
				const db = new Database(toPath(url), { strict: true });
				const hasColumns = /\bversion\b/.test(tableOf(db));
				expect(hasColumns).toBe(index === 0);
				migrate(db, toPath(url));
				expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
				const pets = db.query("SELECT * FROM pets ORDER BY id").all();
				db.close();
				return pets;
			});
			expect(contents[0]).toEqual(contents[1]);
			for (const { url, remove } of [quick, slow]) {
				const reader = await openStoreReader(url);
				expect(await reader.check()).toMatchObject({ findings: [], count: 0 });
				await reader.close();
				const store = await openStore(url, { create: false });
				const added = await store.catalogue.addPet({ pet: rex });
				expect(added.outcome).toBe("added");
				await store.close();
				await remove();
			}
		},
	);

	// At the same time, since each takes half a minute.
	test.concurrent("migrates PostgreSQL for longer than 30 seconds, while other copies wait", async () => {
		const database = await loadOnOwnServer("schema-4");
		await execute(
			database.url,
			`CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(31); RETURN NULL; END';
			CREATE TRIGGER slow BEFORE UPDATE ON petstore.pets EXECUTE FUNCTION wait_long()`,
		);
		const open = () => openStore(database.url, { create: false });
		for (const store of await Promise.all([open(), open()])) {
			expect(await store.catalogue.getPet(1n)).toMatchObject({ name: "Rexi" });
			await store.close();
		}
		await database.remove();
	}, 60_000);

	test.concurrent("ends a migration on PostgreSQL if another program uses the tables for long, and changes nothing", async () => {
		const database = await loadOnOwnServer("schema-4");
		const reader = new Client({ connectionString: database.url });
		await reader.connect();
		await reader.query("BEGIN; SELECT FROM petstore.pets");
		await expect(openStore(database.url, { create: false })).rejects.toThrow(
			/ cannot be used: another program uses its tables in a long transaction; end that program \(pg_stat_activity shows it\) and try again\.$/,
		);
		await reader.query("COMMIT");
		const store = await openStore(database.url, { create: false });
		await store.close();
		await reader.end();
		await database.remove();
	}, 60_000);

	test("migrates a SQLite file whose table another program has rewritten", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		change(url, "ALTER TABLE pets RENAME TO moved");
		change(url, 'ALTER TABLE moved RENAME TO "pets"');
		const store = await openStore(url, { create: false });
		expect(await store.catalogue.getPet(500n)).toMatchObject({
			name: "Late",
			version: 1001n,
			addedAt: null,
		});
		await store.close();
		await remove();
	});
});

/** What a log line says about the backup of the file. */
function toWay(path: string) {
	const backup = `${path}.schema-1.backup`;
	const msg = `the database was migrated; to go back, stop the service, move ${path} with its -wal and -shm away, copy ${backup} to ${path}, and start the earlier version`;
	return { backup, msg };
}

function tableOf(db: Database): string {
	const text = "SELECT sql FROM sqlite_schema WHERE name = 'pets'";
	return db.query<{ sql: string }, []>(text).get()?.sql ?? "";
}

/** As if a newer program had migrated the database. */
async function setSchema(url: string, version: number): Promise<void> {
	if (isFile(url)) change(url, `PRAGMA user_version = ${version}`);
	else
		await execute(
			url,
			`UPDATE petstore.schema_version SET version = ${version}`,
		);
}

async function moveAway(url: string): Promise<void> {
	if (isFile(url)) renameSync(toPath(url), `${toPath(url)}.newer`);
	else await execute(url, "ALTER SCHEMA petstore RENAME TO petstore_newer");
}
