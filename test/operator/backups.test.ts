// Backups in the operator interface.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	rmdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createDownloads } from "../../src/backups/download.ts";
import { openFolder, toBackupName } from "../../src/backups/folder.ts";
import { makeBackup } from "../../src/backups/make.ts";
import { createBackupMaker } from "../../src/backups/maker.ts";
import { openStore } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { toPet } from "../harness/pet.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service, startMs } from "../service.ts";
import { engines } from "../store/engines.ts";

const root = "/operator/v1/backups";
const newest = "petstore-3f9a01c2-20270131T081500Z.db";
const older = "petstore-3f9a01c2-20270130T081500Z.db";
const [linked, folded] = [0, 1_000].map((madeAt) =>
	toBackupName({ catalogue: "3f9a01c2", madeAt }),
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
	await makeBackup(store.archive.read, { file: join(backupFolder, older) });
	for (let thousand = 0; thousand < 3; thousand++)
		await Promise.all(
			Array.from({ length: 1_000 }, () =>
				store.catalogue.addPet({ pet: toPet({}) }),
			),
		);
	await makeBackup(store.archive.read, { file: join(backupFolder, newest) });
	writeFileSync(join(folder.path, "secret"), "secret");
	symlinkSync(join(folder.path, "secret"), join(backupFolder, `${linked}`));
	mkdirSync(join(backupFolder, `${folded}`));
	for (const name of ["x.db", `${newest}.host.1.partial`, `x${newest}`])
		writeFileSync(join(backupFolder, name), "");
});
afterAll(async () => {
	await service.close();
	folder.remove();
});

describe("Backups in the operator interface", () => {
	test("lists the files that are named like a backup, the newest first", async () => {
		const { backups, hasFolder } = await (await service.call(root)).json();
		expect(hasFolder).toBe(true);
		expect(backups).toMatchObject([
			{ name: newest, createdAt: "2027-01-31T08:15:00.000Z" },
			{ name: older },
		]);
		expect(backups[0].bytes).toBeGreaterThan(backups[1].bytes);
	});

	test("does not offer a database that is served as a backup", async () => {
		const path = newPath();
		mkdirSync(path);
		const databaseUrl = `sqlite:${join(path, newest)}`;
		const own = await openService("in process", {
			backups: { folder: path },
			databaseUrl,
		});
		expect(await (await own.call(root)).json()).toMatchObject({ backups: [] });
		await expectError(await own.call(`${root}/${newest}`), "not_found");
		const made = await backUp(own);
		const { backups } = await (await own.call(root)).json();
		expect(backups).toMatchObject([{ name: made }]);
		await own.close();
	});

	test("looks once at a time into a folder that hangs, and waits for it no longer than a second", async () => {
		let looks = 0;
		const hanging = openFolder("x", () => {
			looks++;
			return new Promise(() => {});
		});
		expect(hanging.known()).toEqual([]);
		const begun = performance.now();
		const waiting = Array.from({ length: 50 }, () => hanging.list());
		for (const { status } of await Promise.allSettled(waiting))
			expect(status).toBe("rejected");
		expect(performance.now() - begun).toBeLessThan(3_000);
		const later = performance.now();
		await expect(hanging.list()).rejects.toThrow("does not answer");
		expect(performance.now() - later).toBeLessThan(500);
		expect(hanging.known()).toEqual([]);
		expect(looks).toBe(1);
	});

	test("keeps what it knew of a folder that hangs, and looks again when it answers", async () => {
		const found = [{ name: newest, bytes: 1, createdAt: 1 }];
		let look = Promise.resolve(found);
		const folder = openFolder("x", () => look);
		expect(await folder.list()).toEqual(found);
		const later = Promise.withResolvers<typeof found>();
		look = later.promise;
		expect(folder.known()).toEqual(found);
		await Bun.sleep(10);
		expect(folder.known()).toEqual(found);
		later.resolve([]);
		expect(await folder.list()).toEqual([]);
		expect(folder.known()).toEqual([]);
	});

	test("sends the file of a backup exactly, as an attachment", async () => {
		const key = await service.makeKey({ scope: "operator" });
		const response = await service.send(
			new Request(`${service.url}${root}/${newest}`, {
				headers: { Authorization: `Bearer ${key}` },
			}),
		);
		const path = join(folder.path, "backups", newest);
		const file = await Bun.file(path).bytes();
		expect(await response.bytes()).toEqual(file);
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "application/vnd.sqlite3",
			"content-disposition": `attachment; filename="${newest}"`,
			"cache-control": "private, no-cache, no-store",
		});
	});

	test.each([
		...[linked, folded, `petstore-XYZ-20270131T081500Z.db`, "x.db"],
		...[`${newest}.host.1.partial`, `x${newest}`, "secret"],
		...[
			"..%2Fsecret",
			`..%2Fbackups%2F${newest}`,
			"%2e%2e%2fsecret",
			`${newest}%00`,
		],
	])("answers 404 to the name %s", async (name) => {
		const response = await service.call(`${root}/${name}`);
		await expectError(response, "not_found", /No backup has this name/);
	});

	test("lists no backup without a folder, or if the folder does not exist", async () => {
		const none = await openService("in process");
		const missing = { backups: { folder: join(folder.path, "missing") } };
		const empty = await openService("in process", missing);
		expect(await (await none.call(root)).json()).toEqual({
			backups: [],
			hasFolder: false,
		});
		expect(await (await empty.call(root)).json()).toEqual({
			backups: [],
			hasFolder: true,
		});
		await expectError(await none.call(`${root}/${newest}`), "not_found");
		await none.close();
		await empty.close();
	});

	test("answers 503 with the name of a folder that it cannot read, and logs a line without a stack", async () => {
		const path = newPath();
		mkdirSync(path);
		const other = await openService("in process", {
			backups: { folder: path },
		});
		expect((await other.call(root)).status).toBe(200);
		rmdirSync(path);
		writeFileSync(path, "");
		const message = "The backup folder cannot be read: not a directory.";
		for (const address of [root, `${root}/${newest}`])
			await expectError(
				await other.call(address),
				"unavailable",
				new RegExp(`^${RegExp.escape(message)}$`),
			);
		expect(other.log).toMatchObject([{ level: "warn", msg: message }]);
		expect(JSON.stringify(other.log)).not.toContain("stack");
		await other.close();
	});

	test("answers 503 for a file that it cannot read, and 404 for a symbolic link", async () => {
		const path = join(folder.path, "backups");
		const open = createDownloads({ max: 1 });
		await expect(open(join(path, newest, "x"))).rejects.toMatchObject({
			code: "unavailable",
			message: "The backup cannot be read: not a directory.",
		});
		await expect(open(join(path, `${linked}`))).rejects.toMatchObject({
			code: "not_found",
		});
	});

	test("limits the downloads at the same time, and ends one that is not read", async () => {
		const path = join(folder.path, "backups");
		const file = join(path, newest);
		const open = createDownloads({ max: 2, timeoutMs: 50 });
		const [unread, cancelled] = [await open(file), await open(file)];
		expect(open(file)).rejects.toThrow("The service is overloaded");
		await cancelled.cancel();
		await new Response(await open(file)).bytes();
		expect(new Response(unread).bytes()).resolves.toBeDefined();
		const stalled = (await open(file)).getReader();
		await stalled.read();
		await Bun.sleep(120);
		const rest = async () => {
			while (!(await stalled.read()).done);
		};
		await expect(rest()).rejects.toThrow("reads too slowly");
		await (await open(file)).cancel();
	});

	test("frees the place of a download that it cannot read", async () => {
		const folder = temporaryFolder();
		mkdirSync(`${folder.path}/x.db`);
		const download = createDownloads({ max: 1 });
		for (let count = 0; count < 3; count++) {
			const body = await download(`${folder.path}/x.db`);
			await expect(body.getReader().read()).rejects.toThrow(/EISDIR/);
		}
		folder.remove();
	});
});

describe("Backups on request", () => {
	test.each(engines)(
		"%s: makes a backup, and shows it in the list, the status and the metrics",
		async (engine) => {
			const path = newPath();
			const options = { engine, backups: { folder: path, keep: 1 } };
			const own = await openService("over a socket", options);
			const status = async () => (await own.call("/operator/v1/status")).json();
			expect(await status()).not.toHaveProperty("newestBackupAt");
			const metrics = await readMetrics(own);
			expect(metrics).not.toContain("petstore_last_backup");
			const begunAt = Date.now();
			const names = [await backUp(own), await backUp(own)];
			const { backups } = await (await own.call(root)).json();
			expect(backups).toMatchObject([{ name: names[1] }]);
			const { catalogue } = await own.store.backups.read();
			for (const name of names) expect(name).toContain(`-${catalogue}-`);
			const { newestBackupAt, newestBackupAgeSeconds } = await status();
			expect(Date.parse(newestBackupAt)).toBeGreaterThanOrEqual(begunAt);
			expect(newestBackupAgeSeconds).toBeLessThan(60);
			expect(await readMetrics(own)).toContain(
				`\npetstore_last_backup_timestamp_seconds ${Date.parse(newestBackupAt) / 1_000}\n`,
			);
			await own.close();
		},
		startMs,
	);

	test.each(engines)(
		"%s: answers 409 while another process makes a backup",
		async (engine) => {
			const options = { engine, backups: { folder: newPath() } };
			const own = await openService("in process", options);
			await own.store.backups.begin("another", Date.now());
			const refused = await own.call(root, { method: "POST" });
			await expectError(refused, "conflict", /^A backup is being made/);
			await own.store.backups.cancel("another");
			expect(await backUp(own)).toEndWith(".db");
			await own.close();
		},
	);

	test("logs and counts a failed backup, and shows the failure until the next one", async () => {
		const path = newPath();
		writeFileSync(path, "");
		const own = await openService("over a socket", {
			backups: { folder: path },
		});
		const reason = "The backup cannot be made: ";
		const refused = await own.call(root, { method: "POST" });
		await expectError(refused, "unavailable", new RegExp(reason));
		const status = async () => (await own.call("/operator/v1/status")).json();
		expect((await status()).backupFailure).toStartWith(reason);
		expect(own.log).toContainEqual(
			expect.objectContaining({
				level: "error",
				msg: "a backup failed",
				reason: expect.stringContaining(reason),
			}),
		);
		expect(await readMetrics(own)).toContain(
			"\npetstore_backup_failures_total 1\n",
		);
		rmSync(path);
		await backUp(own);
		expect(await status()).not.toHaveProperty("backupFailure");
		expect(await readMetrics(own)).toContain(
			"\npetstore_backup_failures_total 1\n",
		);
		await own.close();
	});

	test("takes the newest file of the same catalogue for the newest backup", async () => {
		const path = newPath();
		const own = await openService("in process", { backups: { folder: path } });
		mkdirSync(path);
		const { catalogue = "" } = await own.store.backups.read();
		const madeAt = Date.UTC(2026, 0, 31);
		for (const [of, at] of [
			...[[catalogue, madeAt] as const, ["00000000", madeAt + 1_000] as const],
		])
			addFile(path, toBackupName({ catalogue: of, madeAt: at }));
		expect(await statusAfterLook(own)).toMatchObject({
			newestBackupAt: "2026-01-31T00:00:00.000Z",
		});
		await own.close();
	});

	test.each(engines)(
		"%s: takes no backup with a time in the future for the newest one",
		async (engine) => {
			const path = newPath();
			const own = await openService("over a socket", {
				engine,
				backups: { folder: path },
			});
			mkdirSync(path);
			const { catalogue = "" } = await own.store.backups.read();
			const future = Date.now() + 900 * 24 * 3_600_000;
			const add = (madeAt: number) =>
				addFile(path, toBackupName({ catalogue, madeAt }));
			await own.store.backups.begin("wrong", future);
			await own.store.backups.succeed("wrong", future);
			add(future);
			expect(await statusAfterLook(own)).not.toHaveProperty("newestBackupAt");
			expect(await readMetrics(own)).not.toContain("petstore_last_backup");
			add(Date.UTC(2026, 0, 31));
			expect(await statusAfterLook(own)).toMatchObject({
				newestBackupAt: "2026-01-31T00:00:00.000Z",
			});
			await own.close();
		},
		startMs,
	);

	test("gives up a backup that hangs, counts it as failed, and lets the next one begin", async () => {
		const database = temporaryDatabase();
		const store = await openStore(database.url, { access: "create" });
		const job = { database: database.url, folder: newPath() };
		// A process that ignores SIGTERM, and would hold the channel open.
		const command = {
			program: "/bin/sh",
			args: ["-c", "trap '' TERM; while :; do sleep 1; done"],
			env: {},
		};
		const hanging = createBackupMaker(store.backups, job, silentLog, {
			command,
			ms: 200,
		});
		const begun = performance.now();
		await expect(hanging.make()).rejects.toThrow("not complete after");
		expect(performance.now() - begun).toBeLessThan(5_000);
		expect(await store.backups.read()).toMatchObject({
			failures: 1,
			failure: expect.stringContaining("not complete"),
		});
		const next = createBackupMaker(store.backups, job, silentLog);
		expect(await next.make()).toEndWith(".db");

		const stopped = createBackupMaker(store.backups, job, silentLog, {
			command,
		});
		const making = stopped.make().catch(() => "ended");
		while (!(await store.backups.read()).notBefore) await Bun.sleep(1);
		const stopping = performance.now();
		await stopped.stop();
		expect(await making).toBe("ended");
		expect(performance.now() - stopping).toBeLessThan(5_000);
		await store.close();
		database.remove();
	}, 20_000);

	test("ends a running backup when it stops, and leaves neither a file nor a record of it", async () => {
		const path = newPath();
		const database = temporaryDatabase();
		const options = { backups: { folder: path }, databaseUrl: database.url };
		const own = await openService("in process", options);
		const making = own.send(await toRequest(own));
		while (!(await own.store.backups.read()).notBefore) await Bun.sleep(1);
		await own.stop();
		expect((await making).status).toBe(503);
		expect(existsSync(path) ? readdirSync(path) : []).toEqual([]);
		const again = await openService("in process", options);
		expect(await again.store.backups.read()).toMatchObject({
			newestAt: undefined,
			failures: 0,
			notBefore: 0,
		});
		await again.close();
		database.remove();
	});
});

/** A real backup, under another name. */
function addFile(path: string, name: string): void {
	copyFileSync(join(folder.path, "backups", newest), join(path, name));
}

/** The status does not wait for the folder; the list does. */
async function statusAfterLook(service: Service) {
	await service.call(root);
	return (await service.call("/operator/v1/status")).json();
}

async function backUp(service: Service): Promise<string> {
	const made = await service.call(root, { method: "POST" });
	const { name, ...rest } = await made.json();
	expect([made.status, rest]).toEqual([201, {}]);
	return name;
}

/** `call` would read the reply a second time. */
async function toRequest({ url, makeKey }: Service): Promise<Request> {
	const key = await makeKey({ scope: "operator" });
	const headers = { Authorization: `Bearer ${key}` };
	return new Request(url + root, { method: "POST", headers });
}

async function readMetrics({ url, send, makeKey }: Service): Promise<string> {
	const key = await makeKey({ scope: "metrics" });
	const headers = { Authorization: `Bearer ${key}` };
	return (await send(new Request(`${url}/metrics`, { headers }))).text();
}
