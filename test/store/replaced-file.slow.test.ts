// A database file that another program deletes or replaces while the service uses it.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
} from "node:fs";
import type { Archive, Part } from "../../src/store/archive/archive.ts";
import type { Backups } from "../../src/store/archive/backups.ts";
import type { Catalogue } from "../../src/store/catalogue.ts";
import type { Categories } from "../../src/store/categories.ts";
import type { Imports } from "../../src/store/import.ts";
import type { Keys } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/open.ts";
import type { Sessions } from "../../src/store/sessions.ts";
import type { Store } from "../../src/store/store.ts";
import type { Usage } from "../../src/store/usage.ts";
import { makeKey } from "../harness/key.ts";
import { run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { importLines, stage } from "./engines.ts";

const apiKey = "a-key-known-to-the-tests";
const headers = { Authorization: `Bearer ${apiKey}` };

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let backup: string;
let service: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
	folder = temporaryFolder();
	file = `${folder.path}/data/petstore.db`;
	backup = `${folder.path}/backup.db`;
	service = await start();
});
afterEach(async () => {
	service.kill("SIGKILL");
	await service.finished;
	folder.remove();
});

const start = (...args: string[]) =>
	serve(args, {
		cwd: folder.path,
		env: { PETSTORE_API_KEY: apiKey },
	});

async function add(
	further: Record<string, string> = {},
): Promise<{ status: number; id: number }> {
	const response = await fetch(`${service.url}/v1/pets`, {
		method: "POST",
		headers: { ...headers, ...further, "Content-Type": "application/json" },
		body: '{"name":"Rex","categoryId":1}',
	});
	return { status: response.status, id: (await response.json()).id };
}

const get = async (path: string) =>
	(await fetch(service.url + path, { headers })).status;

/** A list relies on the last look at the file, so a change shows a moment later. */
async function listsAre(status: number): Promise<void> {
	for (let tries = 0; (await get("/v1/pets")) !== status; tries++) {
		expect(tries).toBeLessThan(2_000);
		await Bun.sleep(5);
	}
}

/** Waits, since the output of a process arrives here a moment later. */
async function untilLogged(text: RegExp): Promise<void> {
	await waitFor(
		() => text.test(service.output().stderr) || undefined,
		() => service.output().stderr,
	);
}

/** A consistent copy of what the database has now. */
function makeBackup(): void {
	const db = new Database(file);
	db.run("VACUUM INTO ?", [backup]);
	db.close();
}

/** The ids in a file, and whether SQLite finds it whole. */
function read(path: string): { ids: number[]; check: unknown } {
	const db = new Database(path);
	const ids = db
		.query<{ id: number }, []>("SELECT id FROM pets ORDER BY id")
		.all();
	const check = db.query("PRAGMA integrity_check").values()[0]?.[0];
	db.close();
	return { ids: ids.map(({ id }) => id), check };
}

/** Every method of a store that writes something for a caller. A further method of an interface is a type error here. */
function toWrites(store: Store, id: number, hash: string) {
	const { catalogue, categories, keys, sessions, usage, cleanUp } = store;
	const { archive, backups } = store;
	const pet = { name: "Rex", categoryId: 1n, status: "sold" } as const;
	const secret = { hash: "h", prefix: "p", at: 1, overlapMs: 0 };
	const count = { at: 1, key: "", operation: "o", status: 200, requests: 1 };
	const ofCatalogue: Writes<
		Omit<Catalogue, "listPets" | "getPet" | "countPets" | "countCategories">
	> = {
		addPet: () => catalogue.addPet({ pet }),
		changePets: () => catalogue.changePets([{ petId: 1n, set: pet }]),
	};
	const ofCategories: Writes<Omit<Categories, "list">> = {
		set: () => categories.set({ id: 1n, name: "Dogs" }),
		remove: () => categories.remove(1n),
	};
	const ofKeys: Writes<Omit<Keys, "list" | "find">> = {
		add: () => keys.add(makeKey().record),
		rename: () => keys.rename(id, "x"),
		revoke: () => keys.revoke(id, 1),
		forget: () => keys.forget(id, 2 ** 50),
		rotate: () => keys.rotate(id, secret),
		recordUse: () => keys.recordUse(id, 1),
	};
	const ofSessions: Writes<Omit<Sessions, "find">> = {
		add: () => sessions.add({ hash, secretHash: undefined, createdAt: 1 }),
		recordUse: () => sessions.recordUse(hash, 1),
		delete: () => sessions.delete(hash),
		deleteAll: () => sessions.deleteAll(),
		addLink: () => sessions.addLink({ hash, expiresAt: 1 }),
		useLink: () => sessions.useLink("l", 1),
	};
	const ofUsage: Writes<Omit<Usage, "read" | "cleanUp">> = {
		add: () => usage.add([{ ...count, durations: Array(15).fill(0) }]),
	};
	const ofImports: Writes<Omit<Imports, "find" | "check">> = {
		write: () => importLines(store, [pet], { mode: "add" }),
	};
	const ofArchive: Writes<Omit<Archive, "read" | "readOnline">> = {
		write: () => archive.write(noParts()),
		writeFirstPets: () => archive.writeFirstPets(noParts()),
		replace: () => archive.replace(noParts()),
	};
	const ofBackups: Writes<Omit<Backups, "read">> = {
		begin: () => backups.begin("holder", 1),
		renew: () => backups.renew("holder", 1),
		succeed: () => backups.succeed("holder", 1),
		fail: () => backups.fail("holder", 1, "x"),
		cancel: () => backups.cancel("holder"),
	};
	const ofStore = { cleanUp: () => cleanUp(1) };
	const groups = {
		ofCatalogue,
		ofCategories,
		ofKeys,
		ofSessions,
		ofUsage,
		ofStore,
		ofImports,
		ofArchive,
		ofBackups,
	};
	return Object.fromEntries(
		Object.entries(groups).flatMap(([group, writes]) =>
			Object.entries(writes).map(([name, write]) => [
				`${group}.${name}`,
				write,
			]),
		),
	);
}

/** Every method of a store that reads something for a caller. */
async function toReads(store: Store) {
	const { catalogue, categories, keys, sessions, usage, history } = store;
	const range = { status: undefined, categoryId: undefined };
	const all = { ...range, afterId: 0n, limit: 9 };
	const hour = { period: "minute", from: 0, to: 3_600_000, limit: 9 } as const;
	const entries = { maxPosition: 9n, limit: 9 };
	const staged = await stage("update", [{ id: 1n, name: "Max" }]);
	return {
		listPets: async () => catalogue.listPets({ ...all, maxId: undefined }),
		getPet: async () => catalogue.getPet(1n),
		countPets: async () => catalogue.countPets(all),
		countCategories: async () => catalogue.countCategories(all),
		categories: () => categories.list(),
		keys: () => keys.list(),
		findKey: () => keys.find("h"),
		findSession: () => sessions.find("h"),
		usage: () => usage.read({ ...hour, by: [], unit: undefined }),
		history: () => history.readAll(entries),
		historyOf: () => history.readOf(1n, entries),
		findVersion: () => history.findVersion(1n, 1n),
		feed: () => store.feed.read({ after: 0n, limit: 9, maxBytes: 9 }),
		lastChange: () => store.feed.last(),
		findImport: () => store.imports.find("x"),
		checkImport: () => store.imports.check(staged, "update"),
		backups: () => store.backups.read(),
		describe: () => store.describe(),
	};
}

async function* noParts(): AsyncGenerator<Part> {}

type Writes<Methods> = Readonly<Record<keyof Methods, () => Promise<unknown>>>;

const moved = () => `${folder.path}/moved.db`;

describe("A database file that is replaced", () => {
	test.each([
		[
			"the folder is removed",
			/was deleted/,
			() => rmSync(`${folder.path}/data`, { recursive: true }),
		],
		["the file is deleted", /was deleted/, () => unlinkSync(file)],
		["the file is moved", /was deleted/, () => renameSync(file, moved())],
		["its WAL is deleted", /was deleted/, () => unlinkSync(`${file}-wal`)],
		[
			"its shared memory is deleted",
			/was deleted/,
			() => unlinkSync(`${file}-shm`),
		],
		[
			"another file is moved there",
			/was replaced/,
			() => renameSync(backup, file),
		],
		[
			"the folder is removed, and a new database is made there",
			/was replaced/,
			() => {
				rmSync(`${folder.path}/data`, { recursive: true });
				mkdirSync(`${folder.path}/data`);
				copyFileSync(backup, file);
			},
		],
	])(
		"answers 503 to adds, lists, gets and /readyz, and logs why, when %s",
		async (_what, reason, change) => {
			expect((await add()).status).toBe(201);
			makeBackup();
			expect((await add()).status).toBe(201);
			expect(await get("/readyz")).toBe(200);
			change();
			expect((await add()).status).toBe(503);
			expect(await get("/v1/pets")).toBe(503);
			expect(await get("/v1/pets/1")).toBe(503);
			expect(await get("/readyz")).toBe(503);
			expect(await get("/healthz")).toBe(200);
			await untilLogged(reason);
		},
	);

	test.each([true, false])(
		"acknowledges no write of any kind, and changes no other file: %p",
		async (isReplaced) => {
			const path = `${folder.path}/other.db`;
			const store = await openStore(`sqlite:${path}`, { create: true });
			const { id, hash } = await store.keys.add(makeKey().record);
			await store.keys.revoke(id, 0);
			await store.sessions.addLink({ hash: "l", expiresAt: 2 ** 50 });
			unlinkSync(path);
			if (isReplaced) copyFileSync(file, path);
			const wal = readFileSync(`${path}-wal`);
			for (const [name, write] of Object.entries(toWrites(store, id, hash)))
				await expect(write().then(() => name)).rejects.toMatchObject({
					code: "unavailable",
					wroteNothing: true,
				});
			expect(existsSync(path)).toBe(isReplaced);
			if (isReplaced) expect(readFileSync(path)).toEqual(readFileSync(file));
			expect(readFileSync(`${path}-wal`)).toEqual(wal);
			await store.close();
		},
	);

	test("answers no read of any kind soon after the file is deleted", async () => {
		const path = `${folder.path}/other.db`;
		const store = await openStore(`sqlite:${path}`, { create: true });
		const reads = Object.entries(await toReads(store));
		for (const [, read] of reads) await read();
		renameSync(path, moved());
		// Reads rely on the last look at the file.
		await Bun.sleep(250);
		for (const [name, read] of reads)
			await expect(read().then(() => name)).rejects.toMatchObject({
				code: "unavailable",
			});
		renameSync(moved(), path);
		for (const [, read] of reads) await read();
		await store.close();
	});

	test.each(["add", "keep ids", "update"] as const)(
		"acknowledges no import (%s) during which the file is replaced",
		async (mode) => {
			const path = `${folder.path}/other.db`;
			const store = await openStore(`sqlite:${path}`, { create: true });
			const pet = { name: "Rex", categoryId: 1n, status: "sold" } as const;
			await store.catalogue.addPet({ pet });
			const first = mode === "update" ? { id: 1n, name: "Max" } : pet;
			const keptId = mode === "keep ids" ? { id: 5n } : {};
			const imported = importLines(store, [{ ...first, ...keptId }], {
				mode,
				onProgress() {
					copyFileSync(file, backup);
					renameSync(backup, path);
				},
			});
			await expect(imported).rejects.toMatchObject({ code: "unavailable" });
			expect(readFileSync(path)).toEqual(readFileSync(file));
			await store.close();
		},
	);

	test("answers 503 to an import over HTTP", async () => {
		const made = await run(
			["keys", "create", "--name", "x", "--scope", "operator"],
			{ cwd: folder.path },
		);
		const send = () =>
			fetch(`${service.url}/operator/v1/pets/import?format=ndjson`, {
				method: "POST",
				headers: { Authorization: `Bearer ${made.stdout.trim()}` },
				body: '{"name":"Rex","categoryId":1}\n',
			});
		expect((await send()).status).toBe(200);
		makeBackup();
		renameSync(file, moved());
		for (const isReplaced of [false, true]) {
			if (isReplaced) copyFileSync(backup, file);
			const refused = await send();
			expect(refused.status).toBe(503);
			expect((await refused.json()).message).toContain("changed nothing");
			expect(existsSync(file)).toBe(isReplaced);
		}
		expect(readFileSync(file)).toEqual(readFileSync(backup));
	});

	test("acknowledges no change of many animals on the thread, and exports nothing", async () => {
		const path = `${folder.path}/other.db`;
		const store = await openStore(`sqlite:${path}`, { create: true });
		const pet = { name: "Rex", categoryId: 1n, status: "sold" } as const;
		for (let count = 0; count < 30; count++)
			await store.catalogue.addPet({ pet });
		const changes = Array.from({ length: 30 }, (_, index) => ({
			petId: BigInt(index + 1),
			set: { name: "Max" },
		}));
		const filter = { status: undefined, categoryId: undefined };
		const snapshot = await store.exports.open(filter);
		copyFileSync(path, backup);
		renameSync(backup, path);
		const refused = { code: "unavailable" };
		// The first one may not wait until the thread has started.
		for (let count = 0; count < 2; count++) {
			const changed = store.catalogue.changePets(changes);
			await expect(changed).rejects.toMatchObject(refused);
			await Bun.sleep(200);
		}
		await expect(store.exports.open(filter)).rejects.toMatchObject(refused);
		await expect(snapshot.next(9)).rejects.toMatchObject(refused);
		await snapshot.close();
		await store.close();
	});

	test("answers 503 to lists soon after the file is deleted, even without an add", async () => {
		unlinkSync(file);
		await listsAre(503);
	});

	test("uses a file again when it is moved back, and loses nothing", async () => {
		await add();
		renameSync(file, moved());
		expect((await add()).status).toBe(503);
		renameSync(moved(), file);
		const { status, id } = await add();
		expect([status, id]).toEqual([201, 2]);
		expect(await get("/v1/pets/2")).toBe(200);
		expect(await get("/readyz")).toBe(200);
	});

	test("uses a file with its WAL when it is moved back after the service has stopped", async () => {
		await add();
		renameSync(file, moved());
		await listsAre(503);
		service.kill("SIGTERM");
		await service.finished;
		const without = await run(["keys", "list"], { cwd: folder.path });
		expect(without.stderr).toMatch(
			/is missing, but its write-ahead log petstore.db-wal has data. Put the file back/,
		);
		renameSync(moved(), file);
		service = await start();
		expect(await get("/v1/pets/1")).toBe(200);
	});

	test("refuses to start on an empty file beside a WAL, and does not change the WAL", async () => {
		await add();
		service.kill("SIGKILL");
		await service.finished;
		copyFileSync(file, backup);
		truncateSync(file);
		const wal = readFileSync(`${file}-wal`);
		const refused = await run(["serve", "--port", "0"], { cwd: folder.path });
		expect(refused).toMatchObject({ status: 1 });
		expect(refused.stderr).toMatch(/is empty, but its write-ahead log/);
		expect(readFileSync(`${file}-wal`)).toEqual(wal);
		copyFileSync(backup, file);
		service = await start();
		expect(await get("/v1/pets/1")).toBe(200);
	});

	test("does not change the new file at a stop after the file was replaced", async () => {
		await add();
		makeBackup();
		await add();
		renameSync(file, moved());
		copyFileSync(backup, file);
		await listsAre(503);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
		expect(existsSync(`${file}-wal`)).toBe(true);
		for (const end of ["-wal", "-shm"]) rmSync(file + end);
		expect(read(file)).toEqual({ ids: [1], check: "ok" });
	});
});

describe("allowed work of other programs on the file", () => {
	test.each([
		["a backup", makeBackup],
		[
			"a checkpoint",
			() => {
				const db = new Database(file);
				db.run("PRAGMA wal_checkpoint(TRUNCATE)");
				db.close();
			},
		],
		[
			"commits with automatic checkpoints",
			() => {
				const db = new Database(file);
				// The service may be adding usage.
				db.run("PRAGMA busy_timeout = 5000");
				for (let count = 0; count < 3_000; count++)
					db.run(
						"INSERT INTO pets (name, category_id, status) VALUES (?, 1, 'sold')",
						["x".repeat(count % 50)],
					);
				db.close();
			},
		],
		[
			"keys",
			() => run(["keys", "create", "--name", "x"], { cwd: folder.path }),
		],
	])("does not take %s as a replacement", async (_what, act) => {
		expect((await add()).status).toBe(201);
		await act();
		expect((await add()).status).toBe(201);
		await Bun.sleep(600);
		expect(await get("/v1/pets")).toBe(200);
		expect((await add()).status).toBe(201);
	});

	test("uses a database behind a symbolic link, and notices when the file is moved", async () => {
		await add();
		const link = `${folder.path}/link.db`;
		symlinkSync(file, link);
		service.kill("SIGTERM");
		await service.finished;
		service = await start("--database", `sqlite:${link}`);
		expect((await add()).id).toBe(2);
		renameSync(file, moved());
		expect((await add()).status).toBe(503);
	});
});
