// A database file that another program deletes or replaces while the service uses it.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	chmodSync,
	chownSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
} from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { apiKey, authorized, usePlace } from "../cli/place.ts";
import { rex } from "../harness/pet.ts";
import { waitFor } from "../harness/process.ts";
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

/** Only root may give a file away. */
const gifts = process.getuid?.() === 0 ? [give] : [];

function give(path: string): void {
	chownSync(path, 65_534, 65_534);
}

function takeRights(path: string): void {
	chmodSync(path, 0o400);
}

function replace(path: string): void {
	copyFileSync(path, moved());
	renameSync(moved(), path);
}

function halve(path: string): void {
	truncateSync(path, Math.floor(statSync(path).size / 2));
}

async function expectNoWrites(reason: RegExp): Promise<void> {
	expect((await add()).status).toBe(503);
	expect(await get("/readyz")).toBe(503);
	expect((await add()).status).toBe(503);
	expect(await get("/healthz")).toBe(200);
	await service.printed(reason);
}

describe("A write-ahead log", () => {
	const wal = () => `${file}-wal`;

	test.each([
		[/-wal was deleted/, (path: string) => rmSync(path)],
		[/-wal was deleted/, (path: string) => renameSync(path, moved())],
		[/-wal was replaced/, replace],
		[/-wal has lost permissions/, takeRights],
		...gifts.map((one) => [/-wal belongs to another user/, one] as const),
	] as const)(
		"that is not the same any more (%s) answers 503 to all that writes, and nothing acknowledged is lost, not even by kill -9",
		async (reason, change) => {
			for (let id = 1; id <= 3; id++) expect((await add()).id).toBe(id);
			change(wal());
			await expectNoWrites(reason);
			service.kill("SIGKILL");
			await service.finished;
			rmSync(wal(), { force: true });
			expect(read(file)).toEqual({ ids: [1, 2, 3], check: "ok" });
		},
	);

	test.each([
		["emptied", (path: string) => truncateSync(path)],
		["cut in half", halve],
	])(
		"that is %s answers 503 to all that writes, and is copied into the database neither then nor at a stop",
		async (_what, change) => {
			await add();
			await add();
			change(wal());
			const before = readFileSync(file);
			await expectNoWrites(/-wal was shortened/);
			expect((await service.stop()).status).toBe(0);
			expect(readFileSync(file)).toEqual(before);
			expect(read(file).check).toBe("ok");
		},
	);

	test("that is deleted under an idle service is saved without a request", async () => {
		await add();
		rmSync(wal());
		await waitFor(() => {
			copyFileSync(file, backup);
			return read(backup).ids.length > 0;
		});
	});

	test("that is put back is used again", async () => {
		await add();
		renameSync(wal(), moved());
		expect((await add()).status).toBe(503);
		renameSync(moved(), wal());
		expect(await add()).toEqual({ status: 201, id: 2 });
		expect(await get("/readyz")).toBe(200);
	});

	test("that is gone begins and acknowledges no import", async () => {
		const path = place.path("other.db");
		const store = await openStore(`sqlite:${path}`, { access: "create" });
		const away = () => rmSync(`${path}-wal`, { force: true });
		const refused = { code: "unavailable" };
		const imported = importLines(store, [rex], { onProgress: away });
		await expect(imported).rejects.toMatchObject(refused);
		await expect(importLines(store, [rex])).rejects.toMatchObject(refused);
		await store.close();
	});
});

test.each([
	[/petstore.db was shortened/, halve],
	[/petstore.db has lost permissions/, takeRights],
	...gifts.map((one) => [/petstore.db belongs to another user/, one] as const),
] as const)(
	"A database file that is changed in another way (%s) answers 503 to all that writes",
	async (reason, change) => {
		await add();
		change(file);
		await expectNoWrites(reason);
	},
);
