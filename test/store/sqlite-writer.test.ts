// Writes on a thread of their own: done as on the event loop, and nobody else waits for them.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { petstore, root, start, waitFor } from "../../harness/process.ts";
import { temporaryDatabase } from "../../harness/temporary.ts";
import { startWriters } from "../../harness/writers.ts";
import { makeKey } from "../../src/contract/api-key.ts";
import { openStore } from "../../src/store/open.ts";
import { openWriter } from "../../src/store/sqlite/writer-client.ts";
import type { Writes } from "../../src/store/sqlite/writes.ts";

const pet = { name: "Rex", categoryId: -(2n ** 63n), status: "sold" } as const;
const plain = { pet, idempotency: undefined };
const kept = {
	pet,
	idempotency: { owner: "o", key: "k", fingerprint: "f", at: 1_000 },
};

let database: ReturnType<typeof temporaryDatabase>;
let writer: Writes;
beforeEach(async () => {
	database = temporaryDatabase();
	const store = await openStore(database.url, { create: true });
	await store.close();
	writer = openWriter(database.path);
});
afterEach(async () => {
	await writer.close();
	database.remove();
});

test("the thread adds, replays and refuses like the event loop, in one transaction", async () => {
	const other = { ...kept.idempotency, fingerprint: "another" };
	expect(
		await writer.addPets([plain, kept, kept, { pet, idempotency: other }]),
	).toEqual([
		{ outcome: "added", id: 1n },
		{ outcome: "added", id: 2n },
		{ outcome: "replayed", id: 2n },
		{ outcome: "mismatch" },
	]);
	await writer.forgetIdempotencyKeys(2_000);
	expect(await writer.addPets([kept])).toEqual([{ outcome: "added", id: 3n }]);
	const db = new Database(database.path, { safeIntegers: true });
	expect(db.query("SELECT name, category_id FROM pets").values()).toEqual(
		Array(3).fill(["Rex", pet.categoryId]),
	);
	expect(db.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
	db.close();
});

test("what the thread cannot do is `unavailable`, with SQLite's own reason for the log, and it goes on", async () => {
	await writer.addPets([plain]);
	const db = new Database(database.path);
	db.run("BEGIN IMMEDIATE");
	expect(await writer.addPets([plain]).catch((error) => error)).toMatchObject({
		code: "unavailable",
		cause: { code: "SQLITE_BUSY", message: "database is locked" },
	});
	db.run("COMMIT");
	db.close();
	expect(await writer.addPets([plain])).toEqual([{ outcome: "added", id: 2n }]);
});

test("a thread that cannot start is `unavailable`, and the next write starts another", async () => {
	for (const end of ["", "-wal", "-shm"])
		rmSync(database.path + end, { force: true });
	expect(await writer.addPets([plain]).catch((error) => error)).toMatchObject({
		code: "unavailable",
		cause: { message: expect.stringContaining("There is no database") },
	});
	const store = await openStore(database.url, { create: true });
	await store.close();
	expect(await writer.addPets([plain])).toEqual([{ outcome: "added", id: 1n }]);
});

testOnSlowDisk(
	"a thread that is stuck is asked nothing more, and what was given up is not begun",
	async () => {
		const script = `
			const writer = require("${root}src/store/sqlite/writer-client.ts").openWriter(${JSON.stringify(database.path)});
			async function add(name) {
				const begun = performance.now();
				const pet = { name, categoryId: 1n, status: "sold" };
				const outcome = await writer.addPets([{ pet }]).then(([{ outcome }]) => outcome, ({ code }) => code);
				return [outcome, Math.round((performance.now() - begun) / 1000)];
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
				["unavailable", 2],
				["unavailable", 0],
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
	"on a disk whose syncs take 50 ms, lists do not wait for adds to be committed",
	async () => {
		const { url, listMs, stop } = await serveOnSlowDisk();
		const writers = startWriters(8, apiKey, () => [url]);
		// Until it has noticed.
		while (writers.acknowledged.size < 300) await Bun.sleep(20);
		const before = writers.acknowledged.size;
		const times: number[] = [];
		for (let count = 0; count < 60; count++) {
			times.push(await listMs(apiKey));
			await Bun.sleep(5);
		}
		expect(writers.acknowledged.size).toBeGreaterThan(before);
		await writers.stop();
		expect(median(times)).toBeLessThan(15);
		await stop();
	},
);

testOnSlowDisk(
	"on a disk whose syncs take 50 ms, lists do not wait for the last use of keys to be written",
	async () => {
		const keys = await makeKeys(30);
		const { listMs, stop } = await serveOnSlowDisk();
		const times: number[] = [];
		for (const key of keys) times.push(await listMs(key));
		// It has noticed by then.
		expect(median(times.slice(-15))).toBeLessThan(15);
		await stop();
	},
);

const apiKey = "a-key-known-to-the-tests";

async function serveOnSlowDisk() {
	const service = start(
		onSlowDisk("delay_exit=50000", [
			...([petstore, "serve"] as const),
			...["--port", "0", "--database", database.url],
		]),
		{ cwd: "/", env: { API_KEY: apiKey } },
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
	const made = Array.from({ length: count }, () =>
		makeKey({ name: "test", scope: "read", expiresAt: undefined }),
	);
	for (const { record } of made) await store.addKey(record);
	await store.close();
	return made.map(({ key }) => key);
}

function median(times: readonly number[]): number {
	return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

/** Skipped, with the reason in its name, where syncs cannot be made slow. */
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
		// -D: the process that is started is the command, and the tracer runs beside it.
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
