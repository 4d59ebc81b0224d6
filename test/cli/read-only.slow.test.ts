// The commands that only read, `keys list` and `backup`: they change nothing in the database.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { Client, type QueryResultRow } from "pg";
import { createDatabase, execute } from "../harness/postgres/server.ts";
import { type Finished, run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import type { Database as Owned } from "../store/engines.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const petstore = (...args: string[]) => run(args, { cwd: folder.path });
const createKey = (database: string) =>
	petstore("keys", "create", "--name", "x", "--database", database);

/** Both commands on a database; the backup goes to a new file outside of its folder. */
async function readBoth(database: string): Promise<[Finished, Finished]> {
	const target = temporaryFolder();
	const list = await petstore("keys", "list", "--database", database);
	const file = `${target.path}/backup.db`;
	const backup = await petstore("backup", file, "--database", database);
	target.remove();
	return [list, backup];
}

async function expectRead(database: string, keys = 1): Promise<void> {
	const [list, backup] = await readBoth(database);
	expect(list).toMatchObject({ status: 0, stderr: "" });
	expect(list.stdout.match(/^ *\d+ +x +pet_/gm)).toHaveLength(keys);
	expect(backup).toMatchObject({ status: 0, stderr: "" });
}

async function expectRefused(database: string, reason: RegExp): Promise<void> {
	for (const { status, stdout, stderr } of await readBoth(database)) {
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(/^petstore: [^\n]*\.\n$/);
		expect(stderr).toMatch(reason);
	}
}

function toLink(path: string, folder: string): string {
	const link = `${folder}/link.db`;
	symlinkSync(path, link);
	return link;
}

describe("SQLite", () => {
	const path = () => `${folder.path}/petstore.db`;
	const url = () => `sqlite:${path()}`;
	/** All files of the folder but the WAL's index, which a reader locks. */
	const files = () =>
		readdirSync(folder.path)
			.filter((name) => !name.endsWith("-shm"))
			.sort()
			.map((name) => [name, Bun.hash(readFileSync(`${folder.path}/${name}`))]);
	const change = (...statements: string[]) => {
		const db = new Database(path());
		for (const statement of statements) db.run(statement);
		db.close();
	};

	test("keys list and backup read a closed file, and neither change it nor leave a file beside it", async () => {
		await createKey(url());
		const before = readdirSync(folder.path);
		const bytes = files();
		await expectRead(url());
		expect(files()).toEqual(bytes);
		expect(readdirSync(folder.path)).toEqual(before);
	});

	test("pets find, pets read, status and check read a closed file and do not change it", async () => {
		const add = ["pets", "add", "--name", "Rex", "--category-id", "1"];
		await petstore(...add, "--database", url());
		const before = readdirSync(folder.path);
		const bytes = files();
		for (const command of [
			["pets", "find"],
			["pets", "read", "1"],
			["status"],
			["check"],
		])
			expect(await petstore(...command, "--database", url())).toMatchObject({
				status: 0,
			});
		expect(files()).toEqual(bytes);
		expect(readdirSync(folder.path)).toEqual(before);
	});

	test("makes no WAL for a file without one", async () => {
		await createKey(url());
		change("PRAGMA journal_mode = DELETE");
		const before = files();
		await expectRead(url());
		expect(files()).toEqual(before);
	});

	test.each([
		["the file", (path: string) => path],
		["a symbolic link to it", toLink],
	])(
		"reads the WAL that a killed service has left, and keeps it, by %s",
		async (_what, toPath) => {
			await createKey(url());
			const service = await serve(["--database", url()], { cwd: folder.path });
			await createKey(url());
			service.kill("SIGKILL");
			await service.finished;
			const before = files();
			expect(before.map(([name]) => name)).toContain("petstore.db-wal");
			const links = temporaryFolder();
			await expectRead(`sqlite:${toPath(path(), links.path)}`, 2);
			links.remove();
			expect(files()).toEqual(before);
		},
	);

	test.each([
		["of a newer schema", /newer version/, ["PRAGMA user_version = 1000"]],
		[
			"of an earlier checkout",
			/earlier checkout/,
			["PRAGMA application_id = 0x70657473"],
		],
		["of another program", /another program/, ["PRAGMA application_id = 7"]],
	])("refuses a file %s without a change", async (_what, reason, changes) => {
		await createKey(url());
		change(...changes);
		const before = files();
		await expectRefused(url(), reason);
		expect(files()).toEqual(before);
	});

	test("refuses an empty file, and leaves it empty", async () => {
		writeFileSync(path(), "");
		await expectRefused(
			url(),
			/petstore\.db holds no pet store; choose another database\./,
		);
		expect(files()).toEqual([["petstore.db", Bun.hash("")]]);
	});

	test("refuses a database in memory", () =>
		expectRefused("sqlite::memory:", /:memory: holds no pet store/));

	test("reads a file while the service runs", async () => {
		await createKey(url());
		const service = await serve(["--database", url()], { cwd: folder.path });
		await expectRead(url());
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});
});

describe("PostgreSQL", () => {
	let database: Owned;
	beforeEach(async () => {
		database = await createDatabase();
	}, startMs);
	afterEach(() => database.remove());

	/** The relations of our schema, and its version if it has one. */
	const schema = async () => [
		await rowsOf(
			database.url,
			"SELECT relname, pg_relation_filenode(oid) FROM pg_class WHERE relnamespace = to_regnamespace('petstore') ORDER BY 1",
		),
		await rowsOf(
			database.url,
			"SELECT version FROM petstore.schema_mark",
		).catch(() => undefined),
	];

	test("refuses a database without a pet store, and creates none", async () => {
		await expectRefused(database.url, /holds no pet store/);
		expect(await schema()).toEqual([[], undefined]);
	});

	test("refuses tables of an earlier checkout", async () => {
		await execute(
			database.url,
			"CREATE SCHEMA petstore; CREATE TABLE petstore.pets (id int8)",
		);
		const before = await schema();
		await expectRefused(database.url, /earlier checkout/);
		expect(await schema()).toEqual(before);
	});

	test("refuses a newer schema", async () => {
		await createKey(database.url);
		await execute(database.url, "UPDATE petstore.schema_mark SET version = 99");
		await expectRefused(database.url, /newer version/);
	});

	test("reads with a role that may only SELECT", async () => {
		await createKey(database.url);
		const role = new URL(database.url).pathname.slice(1).replace("test", "ro");
		await execute(
			database.url,
			`CREATE ROLE ${role} LOGIN PASSWORD 'x';
			GRANT USAGE ON SCHEMA petstore TO ${role};
			GRANT SELECT ON ALL TABLES IN SCHEMA petstore TO ${role};
			GRANT SELECT ON ALL SEQUENCES IN SCHEMA petstore TO ${role};
			ALTER ROLE ${role} SET default_transaction_read_only = on`,
		);
		const own = new URL(database.url);
		own.username = role;
		own.password = "x";
		await expectRead(own.href);
		await execute(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
	});
});

async function rowsOf(url: string, sql: string): Promise<QueryResultRow[]> {
	const client = new Client(url);
	await client.connect();
	try {
		return (await client.query(sql)).rows;
	} finally {
		await client.end();
	}
}
