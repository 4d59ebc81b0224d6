// Reading databases of older schemas, as test/fixtures has them, without a change: what backup, check, export and others do before an upgrade.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Part } from "../../src/store/archive/archive.ts";
import { standIns } from "../../src/store/archive/older-schema.ts";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { migrations as postgresMigrations } from "../../src/store/postgres/schema.ts";
import { migrations as sqliteMigrations } from "../../src/store/sqlite/schema.ts";
import type { StoreReader } from "../../src/store/store.ts";
import { countRows, execute } from "../harness/postgres/server.ts";
import { root, run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import { engines, newDatabase, type Database as Owned } from "./engines.ts";
import { fixtures, isFile, loadFixture, toPath } from "./fixtures.ts";

const usedAt = Date.now();

describe.each(engines)("%s", (engine) => {
	describe.each(fixtures)("%s", (fixture) => {
		describe("Upgrading", () => {
			let older: Owned;
			let migrated: Owned;
			let reader: StoreReader;
			let newest: StoreReader;
			let remove: () => Promise<void>;
			beforeAll(async () => {
				older = await loadFixture(engine, fixture, usedAt);
				migrated = await loadFixture(engine, fixture, usedAt);
				const store = await openStore(migrated.url, { create: false });
				await store.close();
				const role = await createReader(older.url);
				remove = role.remove;
				reader = await openStoreReader(role.url);
				newest = await openStoreReader(migrated.url);
			}, startMs);
			afterAll(async () => {
				await reader.close();
				await newest.close();
				await remove();
				await older.remove();
				await migrated.remove();
			});

			test("reads the same as after the migration, with SELECT alone, and changes nothing", async () => {
				const before = await stateOf(older.url);
				const expected = await contentOf(newest, "read");
				// The hours of older programs are moved when they are written.
				expected.delete("usage");
				for (const read of ["read", "readOnline"] as const) {
					const content = await contentOf(reader, read);
					content.delete("usage");
					expect(content).toEqual(expected);
				}
				for (const view of views)
					expect(await view(reader)).toEqual(await view(newest));
				expect(await stateOf(older.url)).toEqual(before);
			});

			test("passes the check, which changes nothing", async () => {
				const before = await stateOf(older.url);
				expect(await reader.check()).toMatchObject({ findings: [], count: 0 });
				expect(await stateOf(older.url)).toEqual(before);
			});

			test.each(engines)(
				"backs up and restores into a new database on %s",
				async (target) => {
					const folder = temporaryFolder();
					const restored = await newDatabase(target);
					const petstore = (...args: string[]) =>
						run(args, { cwd: folder.path });
					const file = `${folder.path}/backup.db`;
					const { stderr } = await petstore(
						...["backup", file, "--database", older.url],
					);
					expect(stderr).not.toContain("petstore:");
					expect(await petstore("check", file)).toMatchObject({ status: 0 });
					expect(
						await petstore("restore", file, "--database", restored.url),
					).toMatchObject({ status: 0 });
					const copy = await openStoreReader(restored.url);
					expect(await contentOf(copy, "read")).toEqual(
						await contentOf(newest, "read"),
					);
					await copy.close();
					await restored.remove();
					folder.remove();
				},
			);
		});
	});
});

test("fails a reading of SQLite without a transaction if the file is migrated before its end", async () => {
	const { url, remove } = await loadFixture("sqlite", "schema-4");
	const reader = await openStoreReader(url);
	const parts = reader.archive.readOnline()[Symbol.asyncIterator]();
	await parts.next();
	const store = await openStore(url, { create: false });
	const rest = async () => {
		while (!(await parts.next()).done);
	};
	await expect(rest()).rejects.toThrow("was migrated while it was read");
	await store.close();
	await reader.close();
	await remove();
});

test("has queries for every migration that replace its tables in an older database", () => {
	expect(standIns).toHaveLength(postgresMigrations.length);
	// The second one of SQLite has only other indexes.
	expect(standIns).toHaveLength(sqliteMigrations.length - 1);
});

/** What commands read. */
const views: readonly ((reader: StoreReader) => unknown)[] = [
	({ catalogue }) =>
		catalogue.listPets({ limit: 9, maxId: 2n ** 62n, status: undefined }),
	({ catalogue }) =>
		catalogue.listPets({ limit: 9, maxId: 2n ** 62n, status: "available" }),
	// A database of the oldest schema has no epoch before the migration.
	async ({ catalogue }) => ({ ...(await catalogue.getPet(4n)), epoch: "" }),
	async ({ catalogue }) => ({ ...(await catalogue.getPet(1n)), epoch: "" }),
	({ catalogue }) =>
		catalogue.countPets({ status: "available", afterId: 0n, limit: 9 }),
	({ keys }) => keys.list(),
	async ({ usage }) => {
		const sums = await usage.read({
			period: "hour",
			from: 0,
			to: 2e12,
			limit: 100,
			by: ["operation"],
			unit: undefined,
		});
		return Object.fromEntries(sums.map((sum) => [sum.operation, sum]));
	},
	({ imports }) => imports.find("monday"),
	async ({ exports }) => {
		const status = "available";
		const snapshot = await exports.open({ status });
		const page = await snapshot.next(9);
		await snapshot.close();
		return page;
	},
];

/** By kind, without the id of the catalogue and the base of its feed: the migration makes them for a database that had none. */
async function contentOf(
	{ archive }: StoreReader,
	read: "read" | "readOnline",
): Promise<Map<Part["kind"], unknown[]>> {
	const content = new Map<Part["kind"], unknown[]>();
	for await (const part of archive[read]()) {
		const rows = content.get(part.kind) ?? [];
		if ("rows" in part) rows.push(...part.rows);
		else if (part.kind === "epoch") rows[0] = [part.lastId, part.lastKeyId];
		else rows[0] = part;
		content.set(part.kind, rows);
	}
	return content;
}

/** What a reader must not change. */
async function stateOf(url: string): Promise<unknown> {
	if (isFile(url)) return Bun.hash(readFileSync(toPath(url)));
	return countRows(
		url,
		"SELECT FROM pg_class WHERE relnamespace = 'petstore'::regnamespace",
	);
}

/** On PostgreSQL a role with nothing but SELECT. */
async function createReader(
	url: string,
): Promise<{ url: string; remove: () => Promise<void> }> {
	if (isFile(url)) return { url, remove: async () => {} };
	const own = new URL(url);
	const role = own.pathname.slice(1).replace("test", "ro");
	await execute(
		url,
		`CREATE ROLE ${role} LOGIN PASSWORD 'x';
		GRANT USAGE ON SCHEMA petstore TO ${role};
		GRANT SELECT ON ALL TABLES IN SCHEMA petstore TO ${role};
		GRANT SELECT ON ALL SEQUENCES IN SCHEMA petstore TO ${role};
		REVOKE TEMPORARY ON DATABASE ${own.pathname.slice(1)} FROM PUBLIC`,
	);
	own.username = role;
	own.password = "x";
	return {
		url: own.href,
		remove: () => execute(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`),
	};
}

test("SQLite: waits on if another process takes the lock again, as between the backup and the migration", async () => {
	const { url, remove } = await loadFixture("sqlite", "schema-4");
	using other = new Database(toPath(url));
	other.run("PRAGMA busy_timeout = 0");
	other.run("BEGIN IMMEDIATE");
	const args = ["pets", "add", "--name", "Rex", "--category", "1"];
	const added = run([...args, "--database", url], { cwd: root });
	await Bun.sleep(1_000);
	other.run("ROLLBACK");
	lockAfterAnother(other);
	// Longer than SQLite itself waits for its two attempts to migrate.
	await Bun.sleep(11_000);
	other.run("ROLLBACK");
	expect(await added).toMatchObject({ status: 0 });
	await remove();
}, 60_000);

/** Locks the file as soon as another process has had the lock. */
function lockAfterAnother(db: Database): void {
	let isBusy = false;
	for (;;) {
		try {
			db.run("BEGIN IMMEDIATE");
			if (isBusy) return;
			db.run("ROLLBACK");
		} catch {
			isBusy = true;
		}
	}
}
