// `petstore backup`, `restore` and `check` as their users run them. test/store has what they keep and find, on both engines.
import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import {
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import {
	maxListedBackups,
	removeOlder,
	toBackupName,
} from "../../src/backups/folder.ts";
import { openStore } from "../../src/store/store.ts";
import { readRows } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { waitFor } from "../harness/process.ts";
import { startMs } from "../service.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

/** In the folder of each test, with 2,500 animals, a key and a session. */
const url = () => `sqlite:${place.path("data/petstore.db")}`;
beforeEach(() => fill(2_500));

test(
	"a backup restores everything except sessions into the other engine, and replaces a database only with --replace, after a backup of it",
	async () => {
		const made = await place.run("backup --json --folder backups");
		expect([made.status, made.stderr]).toEqual([0, ""]);
		const { path, animals, bytes } = JSON.parse(made.stdout);
		const file = place.path(path);
		expect(path).toMatch(
			/^backups\/petstore-[0-9a-f]{8}-\d{8}T\d{6}Z-2500\.db$/,
		);
		expect([animals, bytes]).toEqual([2_500, statSync(file).size]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(readdirSync(place.path("backups"))).toHaveLength(1);

		const target = await createDatabase();
		const restore = `restore ${path} --database ${target.url}`;
		const restored = await place.run(restore);
		expect(restored.stderr).toMatch(/"first"/);
		expect(restored.stderr).not.toMatch(/"revoked"/);
		expect(await readRows(target.url)).toEqual(await readRows(url()));

		const store = await openStore(target.url, { access: "write" });
		expect(await store.sessions.find("s")).toBeUndefined();
		await store.catalogue.addPet({ pet: rex });
		const replaced = await readRows(target.url);
		expect(await place.run(restore)).toMatchObject({ status: 1 });
		expect(await place.run(`${restore} --replace`)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("--yes"),
		});
		expect(await readRows(target.url)).toEqual(replaced);
		const done = await place.run(`${restore} --replace --yes --folder before`);
		expect(done.status).toBe(0);
		const [saved = "", ...others] = readdirSync(place.path("before"));
		expect(others).toEqual([]);
		const before = `sqlite:${place.path(`before/${saved}`)}`;
		expect(await readRows(before)).toEqual(replaced);
		expect((await readRows(target.url)).pets).toHaveLength(2_500);
		await store.close();
		await target.remove();
	},
	startMs,
);

test("a backup overwrites no file, and leaves none if it cannot be made or the database is damaged", async () => {
	writeFileSync(place.path("mine.db"), "mine");
	for (const file of ["mine.db", "mine.db/x.db"])
		expect(await place.run(`backup ${file}`)).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(/mine\.db( already exists|: )/),
		});
	const restore = "restore data/petstore.db --replace --yes --folder mine.db";
	expect((await place.run(restore)).stderr).toMatch(
		/: .+ Nothing was restored/,
	);
	expect(readFileSync(place.path("mine.db"), "utf8")).toBe("mine");

	spoil("data/petstore.db", "INSERT INTO changes VALUES (9, 9, 'removed')");
	const checked = await place.run("check");
	expect([checked.status, checked.stdout]).toEqual([
		1,
		expect.stringMatching(/^feed: /m),
	]);
	const json = JSON.parse((await place.run("check --json")).stdout);
	expect(json.problems).toBeGreaterThan(0);
	const refused = await place.run("backup damaged.db");
	expect(refused.stderr).toMatch(/^petstore: The database is damaged .+\.\n$/);
	expect(readdirSync(place.path()).sort()).toEqual(["data", "mine.db"]);
});

test("a backup leaves no partial file after SIGTERM", async () => {
	const running = place.start("backup --folder backups");
	const files = () =>
		existsSync(place.path("backups")) ? readdirSync(place.path("backups")) : [];
	await waitFor(() => files().length > 0, "no partial file");
	const { stderr } = await running.stop();
	expect(files().filter((name) => name.endsWith(".partial"))).toEqual([]);
	expect(stderr.includes("Interrupted")).toBe(files().length === 0);
});

test("a restore into an empty database names the keys that it brings back, and asks on a terminal", async () => {
	const words = "restore data/petstore.db --database sqlite:new.db";
	const terminal = place.terminal(words);
	await terminal.until(/"first"[\s\S]*\[y\/N\]/);
	terminal.type("n\n");
	const [status] = await terminal.finished();
	expect([status, existsSync(place.path("new.db"))]).toEqual([1, false]);
});

test("a restore ends at a signal, and has restored nothing", async () => {
	await fill(200_000, "large.db");
	const running = place.start("restore large.db --database sqlite:target.db");
	const hasBegun = () => existsSync(place.path("target.db"));
	await waitFor(hasBegun, "the restore has not begun");
	await Bun.sleep(100);
	expect(await running.stop()).toMatchObject({
		status: 143,
		stderr: expect.stringContaining("Interrupted"),
	});
	const { path } = place;
	const reader = await openStore(`sqlite:${path("target.db")}`, {
		access: "read",
	});
	expect(await reader.catalogue.getPet(1n)).toBeUndefined();
	await reader.close();
}, 20_000);

test("--keep removes older backups of the same catalogue, by their names", async () => {
	const backUp = async (args = ""): Promise<{ path: string }> =>
		JSON.parse(
			(await place.run(`backup --folder backups --json ${args}`)).stdout,
		);
	const first = await backUp();
	const [, id] = /petstore-(\w{8})-/.exec(first.path) ?? [];
	const add = (name: string) => {
		copyFileSync(place.path(first.path), place.path(`backups/${name}`));
		return name;
	};
	for (const day of [2, 1]) add(`petstore-${id}-2020010${day}T000000Z-9.db`);
	const served = add(`petstore-${id}-20200104T000000Z-9.db`);
	const others = [
		// Made with a clock that was wrong.
		add(`petstore-${id}-20990101T000000Z-9.db`),
		add("petstore-00000000-20200101T000000Z-9.db"),
		add("my-copy.db"),
	];
	const database = `sqlite:${place.path(`backups/${served}`)}`;
	await (await openStore(database, { access: "write" })).close();
	const last = await backUp("--keep 2");
	expect(readdirSync(place.path("backups")).sort()).toEqual(
		[...others, served, basename(first.path), basename(last.path)].sort(),
	);
});

test("--keep also counts more backups than the interface lists", async () => {
	const { stdout } = await place.run("backup --folder backups --json");
	const made = place.path(JSON.parse(stdout).path);
	for (let at = 0; at <= maxListedBackups; at++) {
		const name = toBackupName("00000000", at * 1_000, 1);
		linkSync(made, place.path(`backups/${name}`));
	}
	const [oldest] = readdirSync(place.path("backups")).sort();
	const newest = toBackupName("00000000", maxListedBackups * 1_000, 1);
	await removeOlder(place.path("backups"), newest, maxListedBackups);
	const left = readdirSync(place.path("backups"));
	expect(left).toHaveLength(maxListedBackups + 1);
	expect(left).not.toContain(oldest);
});

test("a backup removes the partial files of killed backups after an hour, and no other file", async () => {
	mkdirSync(place.path("backups"));
	const leave = (name: string, minutes: number) => {
		const path = place.path(`backups/${name}`);
		writeFileSync(path, "");
		const time = new Date(Date.now() - minutes * 60_000);
		utimesSync(path, time, time);
		return name;
	};
	const partial = () => `petstore-backup.${crypto.randomUUID()}.partial`;
	const old = leave(partial(), 61);
	const others = [
		leave(partial(), 50),
		leave(`my-${partial()}`, 61),
		leave("petstore-backup.thesis.partial", 61),
	];
	await place.run("backup --folder backups");
	const files = readdirSync(place.path("backups"));
	expect(files).toEqual(expect.arrayContaining(others));
	expect(files).not.toContain(old);
});

test("check finds no problem in a sound backup, and a damage, after which restore refuses the file", async () => {
	for (const [damage, status] of [
		[() => {}, 0],
		[(path: string) => truncateSync(path, statSync(path).size - 4096), 1],
		[flipByte, 1],
		[(path: string) => truncateSync(path, statSync(path).size - 1), 1],
		[(path: string) => spoilFile(path, changeLetter), 1],
	] as const) {
		const name = `${crypto.randomUUID()}.db`;
		await place.run(`backup ${name}`);
		damage(place.path(name));
		const restore = `restore ${name} --database sqlite:restored-${name}`;
		for (const command of [`check ${name}`, restore])
			expect(await place.run(command)).toMatchObject({ status });
		expect(existsSync(place.path(`restored-${name}`))).toBe(status === 0);
	}
});

async function fill(animals: number, name = "data/petstore.db"): Promise<void> {
	const store = await openStore(`sqlite:${place.path(name)}`, {
		access: "create",
	});
	await store.archive.fill(
		Array.from({ length: animals }, (_, index) => ({
			id: BigInt(index + 1),
			...rex,
		})),
	);
	for (const name of ["first", "revoked"])
		await store.keys.add(makeKey({ name }).record);
	await store.keys.revoke(2, 1);
	await store.sessions.add({ hash: "s", keyHash: undefined, createdAt: 1 });
	await store.close();
}

const changeLetter = "UPDATE pets SET name = 'Rez' WHERE id = 7";

function spoil(name: string, sql: string): void {
	spoilFile(place.path(name), sql);
}

function spoilFile(path: string, sql: string): void {
	const db = new Database(path);
	db.run(sql);
	db.close();
}

/** In the page that the index of the available animals begins with. */
function flipByte(path: string): void {
	const db = new Database(path);
	const row = db
		.query<{ page: number }, []>(
			"SELECT rootpage AS page FROM sqlite_schema WHERE name = 'pets_available'",
		)
		.get();
	db.close();
	const bytes = readFileSync(path);
	const at = ((row?.page ?? 1) - 1) * 4096 + 4090;
	bytes[at] = (bytes[at] ?? 0) ^ 1;
	writeFileSync(path, bytes);
}
