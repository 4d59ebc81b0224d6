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
import { apiKey, authorized, usePlace } from "../cli/place.ts";
import { rex } from "../harness/pet.ts";
import { importLines } from "./engines.ts";

const { headers } = authorized;
// Before the folder of the test is removed.
afterEach(async () => {
	service.kill("SIGKILL");
	await service.finished;
});
const place = usePlace();
let file: string;
let backup: string;
let service: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
	file = place.path("data/petstore.db");
	backup = place.path("backup.db");
	service = await start();
});

const start = () => place.serve("", { PETSTORE_API_KEY: apiKey });

async function add(): Promise<{ status: number; id: number }> {
	const response = await fetch(`${service.url}/v1/pets`, {
		method: "POST",
		headers: { ...headers, "Content-Type": "application/json" },
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

const moved = () => place.path("moved.db");

describe("A database file that is replaced", () => {
	test.each([
		[
			"the folder is removed",
			/was deleted/,
			() => rmSync(place.path("data"), { recursive: true }),
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
				rmSync(place.path("data"), { recursive: true });
				mkdirSync(place.path("data"));
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
		const path = place.path("other.db");
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
		const path = place.path("other.db");
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
		const without = await place.run("keys list");
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
		const refused = await place.run("serve --port 0");
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
