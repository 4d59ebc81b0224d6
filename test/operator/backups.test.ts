// The backups in the operator interface, whose examples are true too.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../harness/temporary.ts";
import operatorOpenapi from "../../operator-openapi.json" with { type: "json" };
import { createDownloads } from "../../src/api/operator/backups/backups.ts";
import { makeBackup } from "../../src/backups/make.ts";
import { toBackupName } from "../../src/backups/names.ts";
import { backups } from "../../src/contract/operator/backups.ts";
import {
	documentedIn,
	named,
	repliesIn,
	replyAboveRateLimit,
	replyWithoutKey,
	send,
} from "../examples.ts";
import {
	decision,
	expectError,
	openService,
	type Service,
} from "../service.ts";

const root = "/operator/v1/backups";
const newest = "petstore-3f9a01c2-20270131T081500Z.db";
/** The first backups had no id in their names. */
const older = "petstore-20270130T081500Z.db";
const [linked, folded] = [0, 1_000].map((madeAt) =>
	toBackupName({ catalogue: "3f9a01c2", madeAt }),
);

let folder: ReturnType<typeof temporaryFolder>;
let service: Service;
beforeAll(async () => {
	folder = temporaryFolder();
	const backupFolder = join(folder.path, "backups");
	service = await openService("over a socket", { backups: backupFolder });
	const { store } = service;
	await makeBackup(store.archive.read(), { file: join(backupFolder, older) });
	for (let thousand = 0; thousand < 3; thousand++)
		await Promise.all(
			Array.from({ length: 1_000 }, () =>
				store.catalogue.addPet(
					{ name: "Rex", categoryId: 1n, status: "sold" },
					undefined,
				),
			),
		);
	await makeBackup(store.archive.read(), { file: join(backupFolder, newest) });
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

decision("Backups in the operator interface", () => {
	test("lists the files that are named like a backup, the newest first", async () => {
		const { backups, hasFolder } = await (await service.call(root)).json();
		expect(hasFolder).toBe(true);
		expect(backups).toMatchObject([
			{ name: newest, createdAt: "2027-01-31T08:15:00.000Z" },
			{ name: older },
		]);
		expect(backups[0].bytes).toBeGreaterThan(backups[1].bytes);
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
		const head = await service.call(`${root}/${newest}`, { method: "HEAD" });
		expect(head.headers.get("content-length")).toBe(String(file.length));
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
	])("sends nothing else: %s", async (name) => {
		const response = await service.call(`${root}/${name}`);
		await expectError(response, "not_found", /No backup has this name/);
	});

	test("without a folder, or with one that is not there, the list is empty", async () => {
		const none = await openService("in process");
		const missing = { backups: join(folder.path, "missing") };
		const empty = await openService("in process", missing);
		expect(await (await none.call(root)).json()).toEqual({
			...{ backups: [], hasFolder: false },
		});
		expect(await (await empty.call(root)).json()).toEqual({
			...{ backups: [], hasFolder: true },
		});
		await expectError(await none.call(`${root}/${newest}`), "not_found");
		await none.close();
		await empty.close();
	});

	test("a folder that cannot be read any more is a 503 that names it, and a log line without a stack", async () => {
		const path = join(folder.path, "vanishing");
		mkdirSync(path);
		const other = await openService("in process", { backups: path });
		expect((await other.call(root)).status).toBe(200);
		rmdirSync(path);
		writeFileSync(path, "");
		const message = `The backup folder ${path} cannot be read: not a directory.`;
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

	test("a file that cannot be read is a 503 too, and a link that was made a moment ago a 404", async () => {
		const path = join(folder.path, "backups");
		const open = createDownloads({ max: 1 });
		await expect(open(path, `${newest}/x`)).rejects.toMatchObject({
			code: "unavailable",
			message: "The backup cannot be read: not a directory.",
		});
		await expect(open(path, `${linked}`)).rejects.toMatchObject({
			code: "not_found",
		});
	});

	test("few downloads run at the same time, and one that is not read ends", async () => {
		const path = join(folder.path, "backups");
		const open = createDownloads({ max: 2, timeoutMs: 50 });
		const [unread, cancelled] = [
			await open(path, newest),
			await open(path, newest),
		];
		expect(open(path, newest)).rejects.toThrow("The service is overloaded");
		await cancelled.cancel();
		await new Response(await open(path, newest)).bytes();
		expect(new Response(unread).bytes()).resolves.toBeDefined();
		const stalled = (await open(path, newest)).getReader();
		await stalled.read();
		await Bun.sleep(120);
		const rest = async () => {
			while (!(await stalled.read()).done);
		};
		await expect(rest()).rejects.toThrow("reads too slowly");
		await (await open(path, newest)).cancel();
	});

	test("a download that cannot be read gives its place free", async () => {
		const folder = temporaryFolder();
		mkdirSync(`${folder.path}/x.db`);
		const download = createDownloads({ max: 1 });
		for (let count = 0; count < 3; count++) {
			const body = await download(folder.path, "x.db");
			await expect(body.getReader().read()).rejects.toThrow(/EISDIR/);
		}
		folder.remove();
	});
});

const calls = {
	listBackups: { path: root },
	downloadBackup: { path: `${root}/${newest}` },
};

test("the service gives the replies of the examples", async () => {
	const none = await openService("in process");
	const authorization = `Bearer ${await none.makeKey({ scope: "read" })}`;
	const replies = [
		await named("listBackups noFolder", none.call(root)),
		await named("downloadBackup noBackup", none.call(`${root}/x`)),
		...(await Promise.all(
			Object.entries(calls).map(([id, call]) =>
				named(`${id} readKey`, send(none.call, call, authorization)),
			),
		)),
		...(await replyWithoutKey(none.call, calls)),
		...(await replyAboveRateLimit(calls)),
	];
	const documented = documentedIn(operatorOpenapi).filter(
		({ operationId }) => operationId in backups.operations,
	);
	// Those of a service that fails are the same for all operations.
	const expected = Object.entries(repliesIn(documented)).filter(
		([name]) => !/oneBackup|failure|keyNotLookedUp|tooManyDownloads/.test(name),
	);
	expect(Object.fromEntries(replies)).toEqual(Object.fromEntries(expected));
	await none.close();
});
