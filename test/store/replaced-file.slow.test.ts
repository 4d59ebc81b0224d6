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
	truncateSync,
} from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { importLines } from "./engines.ts";

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

const moved = () => `${folder.path}/moved.db`;

describe("A database file that is replaced", () => {
	test.each([
		[
			"the folder is removed",
			/was deleted/,
			() => rmSync(`${folder.path}/data`, { recursive: true }),
		],
		["the file is moved", /was deleted/, () => renameSync(file, moved())],
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
		"answers 503 to adds and /readyz, and logs why, when %s",
		async (_what, reason, change) => {
			expect((await add()).status).toBe(201);
			makeBackup();
			expect((await add()).status).toBe(201);
			expect(await get("/readyz")).toBe(200);
			change();
			expect((await add()).status).toBe(503);
			expect(await get("/readyz")).toBe(503);
			expect(await get("/healthz")).toBe(200);
			await service.printed(reason);
		},
	);

	test("begins no import, restore or export in another file", async () => {
		const path = `${folder.path}/other.db`;
		const store = await openStore(`sqlite:${path}`, { access: "create" });
		copyFileSync(file, backup);
		renameSync(backup, path);
		const refused = { code: "unavailable" };
		await expect(importLines(store, [rex])).rejects.toMatchObject(refused);
		await expect(store.archive.fill([])).rejects.toMatchObject(refused);
		await expect(store.openSnapshot({})).rejects.toMatchObject(refused);
		expect(readFileSync(path)).toEqual(readFileSync(file));
		await store.close();
	});

	test("acknowledges no import during which the file is replaced", async () => {
		const path = `${folder.path}/other.db`;
		const store = await openStore(`sqlite:${path}`, { access: "create" });
		const imported = importLines(store, [rex], {
			onProgress() {
				copyFileSync(file, backup);
				renameSync(backup, path);
			},
		});
		await expect(imported).rejects.toMatchObject({ code: "unavailable" });
		expect(readFileSync(path)).toEqual(readFileSync(file));
		await store.close();
	});

	test("uses a file again when it is moved back, and loses nothing", async () => {
		await add();
		renameSync(file, moved());
		expect((await add()).status).toBe(503);
		renameSync(moved(), file);
		// The add with the 503 went into the moved file.
		const { status, id } = await add();
		expect([status, id]).toEqual([201, 3]);
		expect(await get("/v1/pets/3")).toBe(200);
		expect(await get("/readyz")).toBe(200);
	});

	test("uses a file with its WAL when it is moved back after the service has stopped", async () => {
		await add();
		renameSync(file, moved());
		expect(await get("/readyz")).toBe(503);
		await service.stop();
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
		expect(await get("/readyz")).toBe(503);
		expect((await service.stop()).status).toBe(0);
		expect(existsSync(`${file}-wal`)).toBe(true);
		for (const end of ["-wal", "-shm"]) rmSync(file + end);
		expect(read(file)).toEqual({ ids: [1], check: "ok" });
	});
});
