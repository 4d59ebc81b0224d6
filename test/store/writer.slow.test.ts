// Writes on a thread: they have the same results as on the event loop, and reads do not wait for them.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { slowCommitWindow } from "../../src/limits.ts";
import { openStore } from "../../src/store/open.ts";
import {
	openDatabase,
	setLockTimeout,
} from "../../src/store/sqlite/database.ts";
import { guardFile } from "../../src/store/sqlite/files/file-guard.ts";
import {
	maxEventLoopChanges,
	openWriter,
} from "../../src/store/sqlite/requests/writer/placement.ts";
import {
	openWriterThread,
	type WriterThread,
} from "../../src/store/sqlite/requests/writer/thread.ts";
import { makeKey } from "../harness/key.ts";
import { petstore, root, start, waitFor } from "../harness/process.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { startWriters } from "../harness/writers.ts";

const pet = { name: "Rex", categoryId: -(2n ** 63n), status: "sold" } as const;
const origin = { at: 500, by: null };
const plain = { pet, idempotency: undefined, origin };
const repeatable = {
	pet,
	origin,
	idempotency: { owner: "o", key: "k", fingerprint: "f", at: 1_000 },
};

let database: ReturnType<typeof temporaryDatabase>;
beforeEach(async () => {
	database = temporaryDatabase();
	const store = await openStore(database.url, { create: true });
	await store.close();
});
afterEach(() => database.remove());

describe("the writer thread", () => {
	test("runs the SQL of both engines like the event loop", async () => {
		const thread = await openWriterThread(database.path);
		const link =
			"INTO petstore.sign_in_links (hash, expires_at) VALUES ($1, $2)";
		await thread.write("runSql", `INSERT ${link}`, ["h", 1]);
		expect(
			await thread.write(
				"runSql",
				"DELETE FROM petstore.sign_in_links RETURNING hash",
			),
		).toEqual([{ hash: "h" }]);
		await thread.close();
	});

	test("adds, replays and refuses like the event loop, in one transaction", async () => {
		const thread = await openWriterThread(database.path);
		const other = { ...repeatable.idempotency, fingerprint: "another" };
		expect(
			await thread.write("addPets", [
				plain,
				repeatable,
				repeatable,
				{ pet, idempotency: other, origin },
			]),
		).toEqual([
			{ outcome: "added", id: 1n },
			{ outcome: "added", id: 2n },
			{ outcome: "replayed", id: 2n, at: 1_000 },
			{ outcome: "mismatch" },
		]);
		await thread.write("runSql", "DELETE FROM petstore.idempotency_keys");
		expect(await thread.write("addPets", [repeatable])).toEqual([
			{ outcome: "added", id: 3n },
		]);
		await thread.close();
		const db = new Database(database.path, { safeIntegers: true });
		expect(db.query("SELECT name, category_id FROM pets").values()).toEqual(
			Array(3).fill(["Rex", pet.categoryId]),
		);
		expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
		db.close();
	});

	test("fails with `unavailable` and SQLite's own error while the database is locked, and works afterwards", async () => {
		const thread = await openWriterThread(database.path);
		await thread.write("addPets", [plain]);
		const db = new Database(database.path);
		db.run("BEGIN IMMEDIATE");
		expect(
			await thread.write("addPets", [plain]).catch((error) => error),
		).toMatchObject({
			code: "unavailable",
			wroteNothing: true,
			cause: { code: "SQLITE_BUSY", message: "database is locked" },
		});
		db.run("COMMIT");
		db.close();
		expect(await thread.write("addPets", [plain])).toEqual([
			{ outcome: "added", id: 2n },
		]);
		await thread.close();
	});

	test("does not start if it cannot open the database", async () => {
		await expect(
			openWriterThread(`${database.path}-not-there`),
		).rejects.toThrow("cannot be used");
	});
});

describe("the writer", () => {
	/** A writer whose commits are all slow. */
	function openSlowWriter(openThread: (path: string) => Promise<WriterThread>) {
		const db = openDatabase(database.path, false);
		setLockTimeout(db, 0);
		// Every insert takes longer than a commit to a fast disk does.
		db.run(
			`CREATE TEMP TRIGGER slow AFTER INSERT ON pets BEGIN
				SELECT (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
					SELECT count(*) FROM n);
			END`,
		);
		const guard = guardFile(database.path);
		const writer = openWriter(db, database.path, guard, () => {}, openThread);
		return {
			add: () => writer.write("addPets", [plain]),
			async close() {
				await writer.close();
				db.close();
			},
		};
	}

	test("moves to the thread when commits are slow, and back to the event loop if the thread ends", async () => {
		const ended = Promise.withResolvers<void>();
		const opened = Promise.withResolvers<void>();
		let onThread = 0;
		const writer = openSlowWriter(async (path) => {
			const thread = await openWriterThread(path);
			opened.resolve();
			return {
				...thread,
				ended: ended.promise,
				write(name, ...values) {
					onThread++;
					return thread.write(name, ...values);
				},
			};
		});
		for (let count = 0; count < slowCommitWindow; count++) await writer.add();
		await opened.promise;
		await Bun.sleep(1);
		const [added] = await writer.add();
		expect(onThread).toBe(1);
		expect(added).toEqual({
			outcome: "added",
			id: BigInt(slowCommitWindow + 1),
		});
		ended.resolve();
		await Bun.sleep(1);
		await writer.add();
		expect(onThread).toBe(1);
		await writer.close();
	});

	test("runs many changes at once on the thread, and other writes on the event loop", async () => {
		const db = openDatabase(database.path, false);
		setLockTimeout(db, 0);
		const onThread: number[] = [];
		const writer = openWriter(
			db,
			database.path,
			guardFile(database.path),
			() => {},
			async (path) => {
				const thread = await openWriterThread(path);
				return {
					...thread,
					write(name, ...values) {
						const [changes] = values;
						onThread.push(Array.isArray(changes) ? changes.length : 0);
						return thread.write(name, ...values);
					},
				};
			},
		);
		await writer.write("addPets", [plain]);
		const rename = (count: number) =>
			writer.write(
				"changePets",
				Array.from({ length: count }, () => ({ petId: 1n, set: {} })),
				undefined,
			);
		// Many changes do not wait long for a thread that starts, so the first ones may still run on the event loop.
		while (onThread.length === 0) await rename(maxEventLoopChanges + 1);
		onThread.length = 0;
		for (const count of [1, maxEventLoopChanges, maxEventLoopChanges + 1, 2])
			expect(await rename(count)).toMatchObject({ outcome: "changed" });
		await writer.write("addPets", [plain]);
		expect(onThread).toEqual([maxEventLoopChanges + 1]);
		await writer.close();
		db.close();
	});

	test("runs many changes at once on the event loop if the thread cannot start", async () => {
		const db = openDatabase(database.path, false);
		setLockTimeout(db, 0);
		const never = Promise.withResolvers<WriterThread>();
		for (const openThread of [
			() => never.promise,
			() => Promise.reject(new Error("no thread")),
		]) {
			const guard = guardFile(database.path);
			const writer = openWriter(db, database.path, guard, () => {}, openThread);
			expect(
				await writer.write(
					"changePets",
					Array.from({ length: 50 }, () => ({ petId: 0n, set: {} })),
					undefined,
				),
			).toEqual({ outcome: "missing", index: 0 });
		}
		db.close();
	});

	test("stays on the event loop if the thread cannot start, and tries again later", async () => {
		let attempts = 0;
		const writer = openSlowWriter(async () => {
			attempts++;
			throw new Error("no thread");
		});
		for (let count = 0; count < 2 * slowCommitWindow; count++) {
			const [added] = await writer.add();
			expect(added).toEqual({ outcome: "added", id: BigInt(count + 1) });
		}
		expect(attempts).toBeGreaterThan(1);
		expect(attempts).toBeLessThan(slowCommitWindow);
		await writer.close();
	});
});

testOnSlowDisk(
	"gives a stuck thread no further adds, and says that an add that timed out in its queue wrote nothing",
	async () => {
		const script = `
			const { openWriterThread } = require("${root}src/store/sqlite/requests/writer/thread.ts");
			const writer = await openWriterThread(${JSON.stringify(database.path)});
			async function add(name) {
				const begun = performance.now();
				const pet = { name, categoryId: 1n, status: "sold" };
				const outcome = await writer.write("addPets", [{ pet, origin: { at: 1, by: null } }]).then(
					([{ outcome }]) => outcome,
					({ code, wroteNothing }) => code + (wroteNothing ? ", wrote nothing" : ""),
				);
				// 2 stands for less than 4 seconds, when the disk goes on.
				return [outcome, 2 * Math.floor((performance.now() - begun + 100) / 2000)];
			}
			const both = await Promise.all([add("stuck"), add("behind it")]);
			console.log(JSON.stringify([...both, await add("refused")]));
			await Bun.sleep(4_000);
			console.log(JSON.stringify(await add("after it")));
			process.exit();`;
		const { stdout, stderr } = await start(
			onSlowDisk("delay_enter=4000000:when=1", [
				process.execPath,
				"-e",
				script,
			]),
			{ cwd: "/" },
		).finished;
		expect(stderr).toBe("");
		expect(
			stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line)),
		).toEqual([
			[
				["unavailable", 2],
				["unavailable, wrote nothing", 2],
				["unavailable, wrote nothing", 0],
			],
			["added", 0],
		]);
		const db = new Database(database.path);
		expect(db.query("SELECT name FROM pets").values()).toEqual([
			["stuck"],
			["after it"],
		]);
		db.close();
	},
);

testOnSlowDisk(
	"answers lists without waiting for the commits of adds, on a disk whose fsync takes 100 ms",
	async () => {
		const { url, listMs, stop } = await serveOnSlowDisk();
		const writers = startWriters(8, apiKey, () => [url]);
		// By then the service has moved its commits to the thread.
		while (writers.acknowledged.size < 200) await Bun.sleep(20);
		const before = writers.acknowledged.size;
		const times: number[] = [];
		for (let count = 0; count < 60; count++) {
			times.push(await listMs(apiKey));
			await Bun.sleep(5);
		}
		expect(writers.acknowledged.size).toBeGreaterThan(before);
		await writers.stop();
		expect(median(times)).toBeLessThan(50);
		await stop();
	},
);

testOnSlowDisk(
	"answers lists without waiting for the last use of their key, on a disk whose fsync takes 100 ms",
	async () => {
		const keys = await makeKeys(30);
		const { listMs, stop } = await serveOnSlowDisk();
		const times: number[] = [];
		for (const key of keys) times.push(await listMs(key));
		// By then the service has moved its commits to the thread.
		expect(median(times.slice(-15))).toBeLessThan(50);
		await stop();
	},
);

const apiKey = "a-key-known-to-the-tests";

async function serveOnSlowDisk() {
	const service = start(
		onSlowDisk("delay_exit=100000", [
			...([petstore, "serve"] as const),
			...["--port", "0", "--database", database.url],
		]),
		{ cwd: "/", env: { PETSTORE_API_KEY: apiKey } },
	);
	const url = await waitFor(
		() => /"url":"([^"]+)"/.exec(service.output().stderr)?.[1],
		() => `the service did not start: ${service.output().stderr}`,
	);
	return {
		url,
		/** How long a list takes. */
		async listMs(key: string): Promise<number> {
			const begun = performance.now();
			const headers = { Authorization: `Bearer ${key}` };
			const page = await fetch(`${url}/v1/pets`, { headers });
			await page.text();
			expect(page.status).toBe(200);
			return performance.now() - begun;
		},
		async stop(): Promise<void> {
			service.kill("SIGTERM");
			expect((await service.finished).status).toBe(0);
		},
	};
}

async function makeKeys(count: number): Promise<readonly string[]> {
	const store = await openStore(database.url, { create: false });
	const made = Array.from({ length: count }, () => makeKey({ scope: "read" }));
	for (const { record } of made) await store.keys.add(record);
	await store.close();
	return made.map(({ key }) => key);
}

function median(times: readonly number[]): number {
	return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** Skipped, with the reason in its title, where strace cannot make fsync slow. */
function testOnSlowDisk(title: string, run: () => Promise<void>): void {
	const why = findWhyNoStrace();
	const name = why === undefined ? title : `${title} (${why})`;
	test.skipIf(why !== undefined)(name, run, 30_000);
}

function onSlowDisk(
	delay: string,
	command: readonly string[],
): [string, ...string[]] {
	return [
		// With -D the process that is started is the command itself, and strace runs beside it.
		...(["strace", "-D", "-f", "--seccomp-bpf"] as const),
		...["-o", "/dev/null"],
		...["-e", "trace=fsync,fdatasync"],
		...["-e", `inject=fsync,fdatasync:${delay}`],
		...command,
	];
}

function findWhyNoStrace(): string | undefined {
	try {
		execFileSync("strace", ["-f", "-o", "/dev/null", "true"]);
		return undefined;
	} catch {
		return "needs Debian's strace, and the right to use it";
	}
}
