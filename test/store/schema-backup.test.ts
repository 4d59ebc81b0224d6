// The backup that is made beside a SQLite file before its migration.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import {
	openBackup,
	openStore,
	openStoreReader,
} from "../../src/store/open.ts";
import { migrations } from "../../src/store/sqlite/schema.ts";
import type { Migration } from "../../src/store/store.ts";
import { change, loadFixture, toPath } from "./fixtures.ts";

const [newest, older] = [migrations.length, 4];

describe("Backup before a migration", () => {
	test("copies a file of an older schema beside it, complete, before the migration", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		chmodSync(path, 0o600);
		const before = await readContent(url);
		const { backup = "", ...migration } = await migrate(url);
		expect(migration).toMatchObject({ from: older, to: newest });
		expect(backup).toBe(`${path}.schema-4.backup`);
		expect(statSync(backup).mode & 0o777).toBe(0o600);
		expect(versionOf(backup)).toBe(older);
		const copy = await openBackup(backup);
		expect(await copy.check()).toMatchObject({ count: 0 });
		await copy.close();
		expect(await readContent(`sqlite:${backup}`)).toEqual(before);
		expect(namesBeside(path)).toEqual([basename(backup)]);
		await remove();
	});

	test("includes a change that is only in the WAL, even while a reader keeps the WAL from being emptied", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		change(url, "PRAGMA journal_mode = WAL");
		const [reader, writer] = [new Database(path), new Database(path)];
		reader.run("BEGIN");
		reader.query("SELECT count(*) FROM pets").get();
		writer.run("PRAGMA wal_autocheckpoint = 0");
		writer.run("UPDATE pets SET name = 'in the WAL' WHERE id = 1");
		writer.close();
		const { backup = "" } = await migrate(url);
		const copy = await openBackup(backup);
		expect(await copy.catalogue.getPet(1n)).toMatchObject({
			name: "in the WAL",
		});
		await copy.close();
		reader.run("COMMIT");
		reader.close();
		await remove();
	});

	test("makes a second backup after going back only if something was written since", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		const { backup: first = "" } = await migrate(url);
		goBack(path, first);
		expect((await migrate(url)).backup).toBe(first);
		goBack(path, first);
		change(url, "UPDATE pets SET name = 'later' WHERE id = 1");
		const { backup: second = "" } = await migrate(url);
		expect(second).toBe(`${path}.schema-4.2.backup`);
		const copy = await openBackup(second);
		expect(await copy.catalogue.getPet(1n)).toMatchObject({ name: "later" });
		await copy.close();
		expect(await namesOf(first)).not.toContain("later");
		await remove();
	});

	test("makes no second backup after a start that was killed during the migration", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		change(url, "PRAGMA journal_mode = WAL");
		const killed = new Database(path);
		killed.run("PRAGMA cache_size = 1");
		killed.run("BEGIN");
		killed.run("UPDATE pets SET name = hex(zeroblob(60000))");
		// What a killed process leaves: pages of a transaction in the WAL, without its commit.
		const [file, wal] = [readFileSync(path), readFileSync(`${path}-wal`)];
		expect(wal.length).toBeGreaterThan(60_000);
		killed.close();
		const { backup = "" } = await migrate(url);
		await Bun.write(path, file);
		await Bun.write(`${path}-wal`, wal);
		expect((await migrate(url)).backup).toBe(backup);
		expect(namesBeside(path)).toEqual([basename(backup)]);
		expect(await namesOf(path)).toContain("Rexi");
		await remove();
	});

	test("does not migrate a file that it cannot back up, and says why", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		const before = readFileSync(path);
		// As if the disk were full: a folder that cannot be removed has the name of the copy.
		const blocked = `${path}.schema-4.backup.partial`;
		mkdirSync(`${blocked}/x`, { recursive: true });
		await expect(openStore(url, { create: false })).rejects.toThrow(
			`The database ${path} must be migrated, and its backup ${path}.schema-4.backup cannot be made: `,
		);
		expect(readFileSync(path)).toEqual(before);
		rmSync(blocked, { recursive: true });
		expect(await migrate(url)).toMatchObject({ from: older, to: newest });
		await remove();
	});

	test("removes the partial files of a killed start", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		for (const end of ["", "-wal", "-shm"])
			await Bun.write(`${path}.schema-4.backup.partial${end}`, "half");
		await migrate(url);
		expect(namesBeside(path)).toEqual([`${basename(path)}.schema-4.backup`]);
		await remove();
	});

	test("puts the backup beside the target of a symbolic link", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		const target = `${dirname(path)}/elsewhere/real.db`;
		mkdirSync(dirname(target));
		renameSync(path, target);
		symlinkSync(target, path);
		const { backup } = await migrate(url);
		expect(backup).toBe(`${target}.schema-4.backup`);
		await remove();
	});

	test("makes no backup for a command that only reads, or for the newest schema", async () => {
		const { url, remove } = await loadFixture("sqlite", "schema-4");
		const path = toPath(url);
		const reader = await openStoreReader(url);
		await reader.describe();
		await reader.close();
		expect(namesBeside(path)).toEqual([]);
		await migrate(url);
		utimesSync(path, 1, 1);
		const store = await openStore(url, { create: false });
		await store.close();
		expect(namesBeside(path)).toHaveLength(1);
		await remove();
	});
});

async function migrate(url: string): Promise<Migration> {
	const done: Migration[] = [];
	const store = await openStore(url, {
		create: false,
		onMigration: (migration) => done.push(migration),
	});
	await store.close();
	const [migration] = done;
	if (migration === undefined) throw new Error("Nothing was migrated.");
	return migration;
}

/** As the message of the migration says. */
function goBack(path: string, backup: string): void {
	for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
	Bun.spawnSync(["cp", "-p", backup, path]);
}

function versionOf(path: string): unknown {
	using db = new Database(path, { readonly: true });
	return db.query("PRAGMA user_version").values()[0]?.[0];
}

/** Without the database itself, its WAL, and folders. */
function namesBeside(path: string): string[] {
	const own = basename(path);
	return readdirSync(dirname(path)).filter(
		(name) => name.startsWith(own) && name.includes("schema"),
	);
}

async function readContent(url: string): Promise<unknown[]> {
	const reader = await openStoreReader(url);
	const parts = await Array.fromAsync(reader.archive.read());
	await reader.close();
	return parts;
}

async function namesOf(path: string): Promise<string[]> {
	expect(existsSync(path)).toBe(true);
	const parts = await readContent(`sqlite:${path}`);
	return JSON.stringify(parts, (_key, value) =>
		typeof value === "bigint" ? `${value}` : value,
	).split('"');
}
