// Backups over HTTP: the list, a download, and making one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	copyFileSync,
	mkdirSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
	listBackups,
	openFolder,
	toBackupName,
} from "../../src/backups/folder.ts";
import { makeBackup } from "../../src/backups/make.ts";
import { createBackupMaker } from "../../src/backups/maker.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { makeInTime } from "../../src/operator/backups.ts";
import { openStore } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { rex } from "../harness/pet.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service } from "../service.ts";
import { importLines } from "../store/engines.ts";
import { backUp } from "./calls.ts";

const root = "/operator/v1/backups";
const newest = "petstore-3f9a01c2-20270131T081500Z-3000.db";
const older = "petstore-3f9a01c2-20270130T081500Z-0.db";
const [linked = "", folded = ""] = [0, 1_000].map((createdAt) =>
	toBackupName("3f9a01c2", createdAt, 1),
);

let folder: ReturnType<typeof temporaryFolder>;
/** For one try of a test. */
const newPath = () => join(folder.path, crypto.randomUUID());
let service: Service;
beforeAll(async () => {
	folder = temporaryFolder();
	const backupFolder = join(folder.path, "backups");
	service = await openService("over a socket", {
		backups: { folder: backupFolder },
	});
	const { store } = service;
	const toPlace = (name: string) => ({ folder: backupFolder, name });
	await makeBackup(store.archive.read, toPlace(older));
	await importLines(
		store,
		Array.from({ length: 3_000 }, () => rex),
	);
	await makeBackup(store.archive.read, toPlace(newest));
	writeFileSync(join(folder.path, "secret"), "secret");
	symlinkSync(join(folder.path, "secret"), join(backupFolder, linked));
	mkdirSync(join(backupFolder, folded));
	for (const name of ["x.db", `${newest}.host.1.partial`, `x${newest}`])
		writeFileSync(join(backupFolder, name), "");
});
afterAll(async () => {
	await service.close();
	folder.remove();
});

describe("The list of backups", () => {
	test("has the files that are named like a backup, the newest first", async () => {
		const { backups } = await (await service.call(root)).json();
		expect(backups).toMatchObject([
			{ name: newest, createdAt: "2027-01-31T08:15:00.000Z", animals: 3_000 },
			{ name: older, animals: 0 },
		]);
		expect(backups[0].bytes).toBeGreaterThan(backups[1].bytes);
		const page = async (query: string) =>
			(await service.call(`${root}?limit=1${query}`)).json();
		const [first, last] = backups;
		expect(await page("")).toMatchObject({ backups: [first], next: 1 });
		const end = { backups: [last], hasFolder: true };
		expect(await page("&cursor=1")).toEqual(end);
	});

	test("looks once at a time into a folder that hangs, and nobody waits longer than a second", async () => {
		let looks = 0;
		const hanging = openFolder("x", () => {
			looks++;
			return new Promise(() => {});
		});
		const begun = performance.now();
		const waiting = Array.from({ length: 50 }, () => hanging.list());
		for (const { status } of await Promise.allSettled(waiting))
			expect(status).toBe("rejected");
		await expect(hanging.list()).rejects.toThrow("does not answer");
		expect(performance.now() - begun).toBeLessThan(6_000);
		expect(looks).toBe(1);
	});

	test("is empty without a folder, or if it does not exist; a folder that cannot be read is a 503", async () => {
		await using none = await openService("in process");
		const path = newPath();
		await using missing = await openService("in process", {
			backups: { folder: path },
		});
		for (const one of [none, missing])
			expect(await (await one.call(root)).json()).toEqual({
				...{ backups: [], hasFolder: one === missing },
			});
		await expectError(await none.call(`${root}/${newest}`), "not_found");
		await expectError(await none.call(root, { method: "POST" }), "conflict");
		writeFileSync(path, "");
		for (const address of [root, `${root}/${newest}`])
			await expectError(await missing.call(address), "unavailable", /^[^/]+$/);
		expect(missing.log).toMatchObject([{ level: "warn" }]);
	});
});

describe("A download", () => {
	test("is the file exactly, as an attachment", async () => {
		const response = await service.send(await toRequest(service, `/${newest}`));
		const path = join(folder.path, "backups", newest);
		const file = await Bun.file(path).bytes();
		expect(await response.bytes()).toEqual(file);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "application/vnd.sqlite3",
			"content-disposition": `attachment; filename="${newest}"`,
			"cache-control": "no-store",
		});
	});

	test("answers 404 to a name that no backup has", async () => {
		for (const name of [
			...[linked, folded, `${newest}.host.1.partial`, `x${newest}`],
			...["..%2Fsecret", `..%2Fbackups%2F${newest}`, `${newest}%00`],
		]) {
			const response = await service.call(`${root}/${name}`);
			await expectError(response, "not_found", /No backup has this name/);
		}
	});
});

test("A restore that hangs is given up after its time limit, and has done nothing", async () => {
	const path = newPath();
	const own = await openService("in process", { backups: { folder: path } });
	makeFifo(join(path, newest));
	const job = { database: own.databaseUrl, folder: path };
	const options = { restoreMs: 200 };
	const maker = createBackupMaker(own.store.backups, job, silentLog, options);
	const begun = performance.now();
	await expect(maker.restore(newest, "1:Ada")).rejects.toMatchObject({
		code: "unavailable",
	});
	expect(performance.now() - begun).toBeLessThan(5_000);
	expect(await listBackups(path)).toEqual([]);
	expect(await own.store.edits.list(maxInt64, 1)).toEqual([]);
	await own.close();
});

describe("A backup", () => {
	test("is kept as the service says, and shown in the list, the status and the metrics", async () => {
		const path = newPath();
		const backups = { folder: path, keep: 1, everyMs: 0 };
		const own = await openService("over a socket", { backups });
		expect(await readMetrics(own)).not.toContain("petstore_last_backup");
		await backUp(own);
		await own.store.catalogue.addPet({ pet: rex });
		const name = await backUp(own);
		const listed = (await (await own.call(root)).json()).backups;
		expect(listed).toMatchObject([{ name, animals: 1 }]);
		const { newestAt = 0 } = await own.store.backups.read();
		const { bytes, createdAt: at } = listed[0];
		expect(await readStatus(own)).toEqual({
			...{ folder: path, every: 0, keep: 1 },
			last: { name, at, bytes, animals: 1 },
		});
		const [, seconds] =
			/\npetstore_last_backup_timestamp_seconds (.+)\n/.exec(
				await readMetrics(own),
			) ?? [];
		expect(Number(seconds) * 1_000).toBeGreaterThanOrEqual(newestAt);
		await own.close();
		const daily = { folder: newPath(), everyMs: 86_400_000 };
		await using other = await openService("in process", { backups: daily });
		const { path: file } = await makeBackup(other.store.archive.read, daily);
		// From a wrong clock.
		copyFileSync(file, file.replace(/-2\d{7}T/, "-20990101T"));
		const { last, nextAt } = await readStatus(other);
		expect(Date.parse(nextAt) - Date.parse(last.at)).toBe(daily.everyMs);
	});

	test("that begins in the second of another is named by a later one", async () => {
		const path = newPath();
		const store = await openStore("sqlite::memory:", { access: "create" });
		const seconds = new Set<string | undefined>();
		for (let count = 0; count < 3; count++) {
			const made = await makeBackup(store.archive.read, { folder: path });
			seconds.add(/T\d{6}Z/.exec(made.path)?.[0]);
			await store.catalogue.addPet({ pet: rex });
		}
		expect([...seconds].toSorted()).toEqual([...seconds]);
		expect(seconds.size).toBe(3);
		await store.close();
	});

	test("that fails is logged and counted, and shown until the next one, which a command may make", async () => {
		const path = newPath();
		writeFileSync(path, "");
		const own = await openService("over a socket", {
			backups: { folder: path },
		});
		const refused = await own.call(root, { method: "POST" });
		await expectError(refused, "unavailable");
		const { failure } = await readStatus(own);
		expect(failure).toContain("backup folder");
		expect(failure).not.toContain(folder.path);
		const reason = expect.stringContaining(path);
		expect(own.log).toContainEqual(
			expect.objectContaining({ level: "error", reason }),
		);
		const counted = "\npetstore_backup_failures_total 1\n";
		expect(await readMetrics(own)).toContain(counted);
		rmSync(path);
		await backUp(own);
		expect(await readStatus(own)).not.toHaveProperty("failure");
		expect(await readMetrics(own)).toContain(counted);
		await own.store.backups.fail(Date.now() - 2_000, "no space");
		await makeBackup(own.store.archive.read, { folder: path });
		expect(await readStatus(own)).not.toHaveProperty("failure");
		await own.close();
	});

	test("is not begun if its disk would then have less free than the database is large", async () => {
		const { store } = service;
		const path = newPath();
		const databaseBytes = 2 ** 60;
		await expect(
			makeBackup(store.archive.read, { folder: path }, { databaseBytes }),
		).rejects.toThrow("was not begun");
		expect(readdirSync(path)).toEqual([]);
	});

	test("that takes longer than a reply may continues; one that hangs is given up, counts as failed, and lets the next one begin", async () => {
		const database = temporaryDatabase();
		const store = await openStore(database.url, { access: "create" });
		const job = { database: database.url, folder: newPath() };
		const maker = createBackupMaker(store.backups, job, silentLog);
		await expect(makeInTime(maker, 10)).rejects.toMatchObject({
			code: "unavailable",
			message: expect.stringContaining("continues"),
		});
		expect(await listBackups(job.folder)).toEqual([]);
		while (!(await store.backups.read()).newestAt) await Bun.sleep(20);
		expect(await listBackups(job.folder)).toHaveLength(1);
		// Its process waits for ever when it opens the database, and cannot take a signal.
		const own = { ...job, database: `sqlite:${makeFifo()}` };
		const hanging = createBackupMaker(store.backups, own, silentLog, {
			ms: 200,
		});
		const begun = performance.now();
		const making = hanging.make().catch(({ message }) => message);
		expect(await hanging.make()).toBeUndefined();
		expect(await making).toContain("not complete after");
		expect(performance.now() - begun).toBeLessThan(5_000);
		expect(await store.backups.read()).toMatchObject({
			failures: 1,
			failure: expect.stringContaining("not complete"),
		});
		expect(await maker.make()).toEndWith(".db");
		await store.close();
		database.remove();
	}, 20_000);
});

async function readStatus({ call }: Service) {
	return (await (await call("/operator/v1/status")).json()).backups;
}

/** Who opens it waits for another process. */
function makeFifo(path = newPath()): string {
	mkdirSync(dirname(path), { recursive: true });
	Bun.spawnSync(["mkfifo", path]);
	return path;
}

/** `call` would read the reply a second time. */
async function toRequest(
	{ url, makeKey }: Service,
	path: string,
	method = "GET",
): Promise<Request> {
	const key = await makeKey({ scope: "operator" });
	const headers = { Authorization: `Bearer ${key}` };
	return new Request(url + root + path, { method, headers });
}

async function readMetrics({ url, send, makeKey }: Service): Promise<string> {
	const key = await makeKey({ scope: "metrics" });
	const headers = { Authorization: `Bearer ${key}` };
	return (await send(new Request(`${url}/metrics`, { headers }))).text();
}
