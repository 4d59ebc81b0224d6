// `petstore backup`, `restore` and `check` as their users run them, on both engines.
import { Database } from "bun:sqlite";
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { openStore, type Store } from "../../src/store/store.ts";
import { readRows } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { toPet } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { petstore, run, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { engines, newDatabase } from "../store/engines.ts";

const rex = toPet({});

/** The folder of one try of a test. */
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A database and its backup, which no test changes. */
const source = temporaryFolder();
const soundUrl = `sqlite:${join(source.path, "sound.db")}`;
const sound = join(source.path, "sound-backup.db");
beforeAll(async () => {
	const store = await openStore(soundUrl, { access: "create" });
	await fill(store, 2_500);
	await store.close();
	const args = ["backup", sound, "--database", soundUrl];
	await run(args, { cwd: source.path });
});
afterAll(() => source.remove());

const at = (name: string) => join(folder.path, name);
const petstoreRun = (...args: string[]) => run(args, { cwd: folder.path });

describe.each(engines)("%s", (engine) => {
	describe("Backups", () => {
		test("backs up everything except sessions, and restores it exactly into the other engine", async () => {
			const [source, target] = [
				await newDatabase(engine),
				await newDatabase(engine === "sqlite" ? "postgres" : "sqlite"),
			];
			const store = await openStore(source.url, { access: "create" });
			await fill(store, 1_198);
			for (const name of ["", "\u{1f600}'\"\\ \u0001"])
				await store.catalogue.addPet({
					pet: { ...rex, name, categoryId: -(2n ** 63n) },
					idempotency: { ...idempotency, key: `key ${name}` },
				});
			const backups = at(`${engine}-backups`);
			const made = await petstoreRun(
				...["backup", "--json", "--folder", backups],
				...["--database", source.url],
			);
			expect([made.status, made.stderr]).toEqual([0, ""]);
			const { path, animals, bytes } = JSON.parse(made.stdout);
			expect(path).toMatch(
				/-backups\/petstore-[0-9a-f]{8}-\d{8}T\d{6}Z-1200\.db$/,
			);
			expect([animals, bytes]).toEqual([1_200, statSync(path).size]);
			expect(statSync(path).mode & 0o777).toBe(0o600);
			expect(readdirSync(backups)).toHaveLength(1);

			const restored = await petstoreRun(
				...["restore", path, "--database", target.url],
			);
			expect(restored.stderr).toContain("Restored 1,200 animals, 1 key ");
			const copy = await openStore(target.url, { access: "write" });
			expect(await readRows(target.url)).toEqual(await readRows(source.url));
			expect(await copy.sessions.find("s")).toBeUndefined();
			const again = { ...idempotency, key: "key " };
			expect(
				await copy.catalogue.addPet({
					pet: { ...rex, name: "", categoryId: -(2n ** 63n) },
					idempotency: again,
				}),
			).toMatchObject({ outcome: "replayed", id: 1_199n });
			expect(await copy.catalogue.addPet({ pet: rex })).toMatchObject({
				id: 1_201n,
			});
			await copy.close();

			await store.catalogue.changePets([{ petId: 1_200n, set: undefined }]);
			const later = await petstoreRun(
				...["backup", at(`${engine}-later.db`), "--database", source.url],
			);
			expect(later.stdout).toMatch(/^animals +1,199$/m);
			await store.close();
			await source.remove();
			await target.remove();
		});

		test("restore replaces a database only with --replace, backs it up first, and assigns no id twice", async () => {
			const { url, remove } = await newDatabase(engine);
			const store = await openStore(url, { access: "create" });
			await fill(store, 10);
			const backup = at(`${engine}.db`);
			await petstoreRun("backup", backup, "--database", url);
			const { keys: _, edits: __, ...before } = await readRows(url);
			const { id = 0 } = (await store.keys.list())[0] ?? {};
			await store.keys.revoke(id, 1_000);
			await store.keys.add(makeKey({ name: "later" }).record);
			for (let count = 0; count < 5; count++)
				await store.catalogue.addPet({ pet: rex });
			const replaced = await readRows(url);

			const args = ["restore", backup, "--database", url];
			expect(await petstoreRun(...args)).toMatchObject({
				status: 1,
				stderr: expect.stringContaining("add --replace to back up"),
			});
			expect(await petstoreRun(...args, "--replace")).toMatchObject({
				status: 2,
				stderr: expect.stringContaining("add --yes"),
			});
			expect(await readRows(url)).toEqual(replaced);
			const done = await petstoreRun(
				...[...args, "--replace", "--yes"],
				...["--folder", at(`${engine}-replaced`)],
			);
			expect(done.status).toBe(0);
			const [, saved = ""] = /content is in (.+)\.\n/.exec(done.stderr) ?? [];
			expect(await readRows(`sqlite:${saved}`)).toEqual(replaced);
			const after = await readRows(url);
			expect(after).toMatchObject(before);
			expect(after.keys).toEqual(replaced.keys);
			expect(after.edits).toHaveLength(1);
			const added = await store.catalogue.addPet({ pet: rex });
			expect(added).toMatchObject({ outcome: "added" });
			expect(added.outcome === "added" && added.id > 15n).toBe(true);
			await store.close();
			await remove();
		});
	});

	test("check reports animals, ids and feed entries that break a rule, and a backup that has such a row is removed", async () => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { access: "create" });
		await fill(store, 3);
		await spoilRows(engine, url);
		await store.close();
		const args = ["check", "--database", url];
		const { status, stdout } = await petstoreRun(...args);
		expect(stdout).toMatch(/^animal 7: its id or version was never assigned/m);
		expect(stdout).toMatch(/^feed: position 9 was never assigned/m);
		expect(status).toBe(1);
		const { problems } = JSON.parse(
			(await petstoreRun(...args, "--json")).stdout,
		);
		expect(problems).toBeGreaterThan(1);
		const path = at(`${engine}-damaged.db`);
		const made = await petstoreRun("backup", path, "--database", url);
		expect([made.status, existsSync(path)]).toEqual([1, false]);
		expect(made.stderr).toContain("The backup is damaged (");
		await remove();
	});
});

describe("Backups", () => {
	test("restore says that nothing was changed if the disk of PostgreSQL is full", async () => {
		const target = await newDatabase("postgres");
		await (await openStore(target.url, { access: "create" })).close();
		await execute(
			target.url,
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE disk_full USING MESSAGE = ''the disk is full''; END';
			CREATE TRIGGER full_disk BEFORE INSERT ON petstore.pets EXECUTE FUNCTION refuse()`,
		);
		const restore = ["restore", sound, "--database", target.url];
		const { status, stderr } = await petstoreRun(...restore);
		expect(status).toBe(1);
		expect(stderr).toContain(
			"nothing was restored; run the command again. (the disk is full)",
		);
		await target.remove();
	});

	test("refuses to overwrite a file", async () => {
		const path = at("mine.db");
		writeFileSync(path, "mine");
		const { status, stderr } = await backUpSound(path);
		expect([status, readFileSync(path, "utf8")]).toEqual([1, "mine"]);
		expect(stderr).toContain("already exists");
	});

	test("writes a single file that opens as a database", async () => {
		const copy = at("served.db");
		copyFileSync(sound, copy);
		expect(
			readdirSync(source.path).filter((name) => /^sound-backup/.test(name)),
		).toEqual(["sound-backup.db"]);
		const store = await openStore(`sqlite:${copy}`, { access: "write" });
		expect(await store.catalogue.getPet(2_500n)).toMatchObject(rex);
		await store.close();
	});

	test.each(["SIGINT", "SIGTERM"] as const)(
		"leaves no partial file after %s",
		async (signal) => {
			const backups = at(signal);
			const running = start([petstore, ...backUp("--folder", backups)], {
				cwd: folder.path,
			});
			await waitFor(
				() =>
					(existsSync(backups) && readdirSync(backups).length > 0) || undefined,
				() => "no partial file",
			);
			running.kill(signal);
			const { stderr } = await running.finished;
			const left = readdirSync(backups);
			expect(left.filter((name) => name.endsWith(".partial"))).toEqual([]);
			expect(stderr.includes("Interrupted")).toBe(left.length === 0);
		},
	);

	test("ends at a signal while it restores, and has restored nothing", async () => {
		const [large, target] = [at("large.db"), at("interrupted.db")];
		const store = await openStore(`sqlite:${large}`, { access: "create" });
		await fill(store, 200_000);
		await store.close();
		const running = start(
			[petstore, "restore", large, "--database", `sqlite:${target}`],
			{ cwd: folder.path },
		);
		await waitFor(
			() => existsSync(target) || undefined,
			() => "the restore has not begun",
		);
		await Bun.sleep(100);
		running.kill("SIGTERM");
		expect(await running.finished).toMatchObject({
			status: 143,
			stderr: expect.stringContaining("Interrupted"),
		});
		const reader = await openStore(`sqlite:${target}`, {
			access: "read",
		});
		expect(await reader.catalogue.getPet(1n)).toBeUndefined();
		await reader.close();
	}, 20_000);

	test("says why it cannot write to the folder", async () => {
		const file = at("a-file");
		writeFileSync(file, "");
		const { status, stderr } = await backUpSound(join(file, "x.db"));
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: The backup .* cannot be made: /m);
	});
});

describe("Names of backups", () => {
	test("--keep removes older backups of the same catalogue, by their names", async () => {
		const backups = at("kept");
		const first = await petstoreRun(...backUp("--folder", backups, "--json"));
		const { path } = JSON.parse(first.stdout);
		const [, id = ""] =
			/\/petstore-([0-9a-f]{8})-\d{8}T\d{6}Z-2500\.db$/.exec(path) ?? [];
		expect(originOf(path)).toEqual({ id, madeAt: expect.any(Number) });
		const add = (name: string) => {
			copyFileSync(path, join(backups, name));
			return name;
		};
		const older = [1, 2].map((day) =>
			add(`petstore-${id}-2020010${day}T000000Z-9.db`),
		);
		const others = [
			// Made with a clock that was wrong.
			add(`petstore-${id}-20990101T000000Z-9.db`),
			add("petstore-00000000-20200101T000000Z-9.db"),
			// Served after it was made.
			add(`petstore-${id}-20200104T000000Z-9.db`),
			add("my-copy.db"),
		];
		spoil(join(backups, others[2] ?? ""), "PRAGMA journal_mode = WAL");
		const keep = ["--keep", "2", "--json"];
		const next = await petstoreRun(...backUp("--folder", backups, ...keep));
		const { path: last, removed } = JSON.parse(next.stdout);
		expect(removed).toEqual(older.reverse());
		expect(readdirSync(backups).sort()).toEqual(
			[...others, basename(path), basename(last)].sort(),
		);
	});

	test("no longer takes a file for a backup after it was opened as a database", async () => {
		const path = at("was-a-backup.db");
		copyFileSync(sound, path);
		const store = await openStore(`sqlite:${path}`, { access: "write" });
		await store.close();
		expect(originOf(path)?.madeAt).toBeNull();
		// It is another catalogue from now on, so it does not remove the backups of the first.
		expect(originOf(path)?.id).not.toBe(originOf(sound)?.id);
	});

	test("removes the partial files of killed backups after an hour, and no other file", async () => {
		const backups = at("left");
		mkdirSync(backups);
		const leave = (name: string, minutes: number) => {
			writeFileSync(join(backups, name), "");
			const time = new Date(Date.now() - minutes * 60_000);
			utimesSync(join(backups, name), time, time);
			return name;
		};
		const partial = () => `petstore-backup.${crypto.randomUUID()}.partial`;
		const old = leave(partial(), 61);
		const others = [
			leave(partial(), 50),
			leave(`my-${partial()}`, 61),
			leave("petstore-backup.thesis.partial", 61),
		];
		await petstoreRun(...backUp("--folder", backups));
		const files = readdirSync(backups);
		expect(files).toEqual(expect.arrayContaining(others));
		expect(files).not.toContain(old);
	});
});

describe("Check", () => {
	test("finds no problem in a sound backup", async () => {
		const { status, stdout, stderr } = await petstoreRun("check", sound);
		expect([status, stdout]).toEqual([0, ""]);
		expect(stderr).toBe("No problems found in 2,500 animals.\n");
	});

	test.each<[string, (path: string) => void]>([
		[
			"a truncated file",
			(path) => truncateSync(path, statSync(path).size - 4096),
		],
		["a file cut in its first page", (path) => truncateSync(path, 1_000)],
		["a flipped byte in a page", flipByte],
		["an index without a row", removeIndexRow],
		["a table that is missing", (path) => spoil(path, "DROP TABLE imports")],
		[
			"an id above the counter",
			(path) => spoil(path, "UPDATE counter SET last = 9"),
		],
		[
			"an unknown status",
			(path) =>
				spoil(
					path,
					"PRAGMA ignore_check_constraints = ON; UPDATE pets SET status = 'lost' WHERE id = 7",
				),
		],
		[
			"a removed animal that still exists",
			(path) => spoil(path, "INSERT INTO changes VALUES (6, 5, 'removed')"),
		],
	])("finds %s, and restore refuses the file", async (what, damage) => {
		const path = at(`${what.replaceAll(" ", "-")}.db`);
		copyFileSync(sound, path);
		damage(path);
		const checked = await petstoreRun("check", path);
		expect(checked.status).toBe(1);
		expect(checked.stdout + checked.stderr).not.toContain("No problem");
		const target = at(`${what}-target.db`);
		const restored = await petstoreRun(
			"restore",
			path,
			"--database",
			`sqlite:${target}`,
		);
		expect([restored.status, existsSync(target)]).toEqual([1, false]);
	});

	test.each([[["pets", "find"]], [["export"]], [["export", "damaged.csv"]]])(
		"%p says in one sentence that the file is damaged",
		async (args) => {
			const path = at("damaged.db");
			copyFileSync(sound, path);
			const db = new Database(path);
			const roots = db
				.query<{ page: number }, []>(
					"SELECT rootpage AS page FROM sqlite_schema WHERE tbl_name = 'pets'",
				)
				.all();
			db.close();
			const bytes = readFileSync(path);
			for (const { page } of roots)
				bytes.fill(0xff, (page - 1) * 4096, page * 4096);
			writeFileSync(path, bytes);
			const database = ["--database", `sqlite:${path}`];
			const { status, stderr } = await petstoreRun(...args, ...database);
			expect([status, stderr]).toEqual([
				1,
				expect.stringMatching(
					/^petstore: .*database disk image is malformed\)\n$/,
				),
			]);
			expect(existsSync(at("damaged.csv"))).toBe(false);
		},
	);

	test.each([[["serve", "--port", "0"]], [["console"]]])(
		"%p says in one sentence that a table is missing",
		async (args) => {
			const path = at("incomplete.db");
			copyFileSync(sound, path);
			spoil(path, "DROP TABLE pets");
			const database = ["--database", `sqlite:${path}`];
			const { status, stderr } = await petstoreRun(...args, ...database);
			const reason = "cannot be used: no such table: pets";
			expect([status, stderr]).toEqual([
				1,
				`petstore: The database ${path} ${reason}.\n`,
			]);
		},
	);
});

const idempotency = { owner: "owner", fingerprint: "f", at: Date.now() };

const backUp = (...args: string[]) => [
	...["backup", "--database", soundUrl],
	...args,
];

const backUpSound = (path: string) => petstoreRun(...backUp(path));

async function fill(store: Store, animals: number): Promise<void> {
	await store.archive.fill(
		Array.from({ length: animals }, (_, index) => ({
			id: BigInt(index + 1),
			...rex,
		})),
	);
	await store.keys.add(makeKey({ name: "first" }).record);
	await store.sessions.add({ hash: "s", keyHash: undefined, createdAt: 1 });
}

async function spoilRows(engine: string, url: string): Promise<void> {
	for (const sql of [
		"INSERT INTO pets (id, name, category_id, status, version, folded_name) VALUES (7, 'x', 1, 'sold', 7, 'x')",
		"INSERT INTO changes VALUES (9, 9, 'removed')",
		`INSERT INTO idempotency_keys VALUES ('o', 'k', 'f', 99, ${Date.now()})`,
	])
		if (engine === "sqlite") spoil(url.slice("sqlite:".length), sql);
		else
			await execute(url, sql.replace(/(UPDATE|INTO) (\w+)/, "$1 petstore.$2"));
}

function spoil(path: string, sql: string): void {
	const db = new Database(path);
	db.run(sql);
	db.close();
}

/** What a file says about the backup that it is. */
function originOf(path: string) {
	const db = new Database(path, { readonly: true });
	const origin = db
		.query<{ id: string; madeAt: number | null }, []>(
			"SELECT id, made_at AS madeAt FROM catalogue",
		)
		.get();
	db.close();
	return origin;
}

/** In the page that the index of the available animals begins with. */
function flipByte(path: string): void {
	changePage(path, "pets_available", (page) => {
		page[4090] = (page[4090] ?? 0) ^ 1;
	});
}

/** The page of a short index has the number of its rows in bytes 3 and 4. */
function removeIndexRow(path: string): void {
	spoil(path, "UPDATE pets SET status = 'sold' WHERE id <= 3");
	changePage(path, "pets_sold", (page) => {
		page[4] = 2;
	});
}

function changePage(
	path: string,
	name: string,
	change: (page: Uint8Array) => void,
): void {
	const db = new Database(path);
	const row = db
		.query<{ page: number }, [string]>(
			"SELECT rootpage AS page FROM sqlite_schema WHERE name = ?",
		)
		.get(name);
	db.close();
	const bytes = readFileSync(path);
	const start = ((row?.page ?? 1) - 1) * 4096;
	change(bytes.subarray(start, start + 4096));
	writeFileSync(path, bytes);
}
