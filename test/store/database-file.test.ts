// The paths of a SQLite database: symbolic links, folders, files without rights. And access to read, which changes nothing.
import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import {
	chmodSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { usePlace } from "../cli/place.ts";
import { backUp } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { createDatabase, execute } from "../harness/postgres/server.ts";
import { startMs } from "../service.ts";

const place = usePlace();
const { path } = place;
const urlOf = (name: string) => `sqlite:${path(name)}`;

/** Opens the database as a command does that makes a key. */
async function addKey(url: string): Promise<void> {
	const store = await openStore(url, { access: "create" });
	await store.keys.add(makeKey().record);
	await store.close();
}

/** Lists the keys and makes a backup, as commands do that only read. */
async function countKeys(url: string): Promise<number> {
	const store = await openStore(url, { access: "read" });
	try {
		(await backUp(store)).remove();
		return (await store.keys.list()).length;
	} finally {
		await store.close();
	}
}

describe("a symbolic link", () => {
	beforeEach(() => {
		mkdirSync(path("disk"));
		symlinkSync("disk/pets.db", path("link.db"));
	});

	test("leads to its target, which is created for this user only", async () => {
		await addKey(urlOf("link.db"));
		expect(statSync(path("disk/pets.db")).mode & 0o777).toBe(0o600);
		await addKey(urlOf("disk/pets.db"));
		expect(await countKeys(urlOf("link.db"))).toBe(2);
	});

	test("is refused if it leads to itself or into a missing folder, which is not created", async () => {
		symlinkSync("loop.db", path("loop.db"));
		symlinkSync("unmounted/pets.db", path("broken.db"));
		for (const [name, message] of [
			["loop.db", /cannot be opened: too many symbolic links/],
			["broken.db", /cannot be opened: no such file/],
		] as const)
			await expect(addKey(urlOf(name))).rejects.toThrow(message);
		expect(existsSync(path("unmounted"))).toBe(false);
	});
});

test("refuses a folder", async () => {
	await expect(addKey(`sqlite:${path()}`)).rejects.toThrow(/is a folder/);
});

test.skipIf(process.getuid?.() === 0)(
	"refuses a file that this user may not write, and reads it",
	async () => {
		await addKey(urlOf("pets.db"));
		chmodSync(path("pets.db"), 0o400);
		const refused = addKey(urlOf("pets.db"));
		await expect(refused).rejects.toThrow("cannot be opened: permission");
		expect(readdirSync(path())).toEqual(["pets.db"]);
		expect(await countKeys(urlOf("pets.db"))).toBe(1);
	},
);

describe("reading", () => {
	/** All files of the folder but the WAL's index, which a reader locks. */
	const files = () =>
		readdirSync(path())
			.filter((name) => !name.endsWith("-shm"))
			.sort()
			.map((name) => [name, Bun.hash(readFileSync(path(name)))]);
	const change = (...statements: string[]) => {
		const db = new Database(path("pets.db"));
		for (const statement of statements) db.run(statement);
		db.close();
	};

	test("changes no closed file, and leaves none beside it, in every command that reads", async () => {
		await addKey(urlOf("pets.db"));
		const before = files();
		const database = "--database sqlite:pets.db";
		for (const command of ["keys list", "pets find", "status", "check"])
			expect(await place.run(`${command} ${database}`)).toMatchObject({
				status: 0,
			});
		expect(await countKeys(urlOf("pets.db"))).toBe(1);
		expect(readdirSync(path())).toEqual(["pets.db"]);
		expect(files()).toEqual(before);
	});

	test("makes no WAL for a file without one", async () => {
		await addKey(urlOf("pets.db"));
		change("PRAGMA journal_mode = DELETE");
		const before = files();
		expect(await countKeys(urlOf("pets.db"))).toBe(1);
		expect(files()).toEqual(before);
	});

	test("reads the WAL that a killed process has left, and keeps it, also by a symbolic link", async () => {
		const running = await openStore(urlOf("running.db"), { access: "create" });
		await running.keys.add(makeKey().record);
		for (const end of ["", "-wal"])
			copyFileSync(path(`running.db${end}`), path(`pets.db${end}`));
		await running.close();
		symlinkSync("pets.db", path("link.db"));
		const before = files();
		for (const name of ["pets.db", "link.db"])
			expect(await countKeys(urlOf(name))).toBe(1);
		expect(files()).toEqual(before);
	});

	test("refuses a file of a newer schema without a change", async () => {
		await addKey(urlOf("pets.db"));
		change("PRAGMA user_version = 1000");
		const before = files();
		await expect(countKeys(urlOf("pets.db"))).rejects.toThrow(/newer version/);
		expect(files()).toEqual(before);
	});

	test("refuses an empty file and a database in memory, which hold no pet store", async () => {
		writeFileSync(path("pets.db"), "");
		for (const url of [urlOf("pets.db"), "sqlite::memory:"])
			await expect(countKeys(url)).rejects.toThrow("holds no pet store");
		expect(readFileSync(path("pets.db"))).toBeEmpty();
	});

	test(
		"needs no more than SELECT on PostgreSQL",
		async () => {
			const database = await createDatabase();
			await addKey(database.url);
			const reader = new URL(database.url);
			reader.username = reader.pathname.slice(1).replace("test", "ro");
			reader.password = "x";
			await execute(
				database.url,
				`CREATE ROLE ${reader.username} LOGIN PASSWORD 'x';
				GRANT USAGE ON SCHEMA petstore TO ${reader.username};
				GRANT SELECT ON ALL TABLES IN SCHEMA petstore TO ${reader.username};
				ALTER ROLE ${reader.username} SET default_transaction_read_only = on`,
			);
			expect(await countKeys(reader.href)).toBe(1);
			await execute(
				database.url,
				`DROP OWNED BY ${reader.username}; DROP ROLE ${reader.username}`,
			);
			await database.remove();
		},
		startMs,
	);
});
