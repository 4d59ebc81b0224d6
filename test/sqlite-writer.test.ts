// Writes on a thread of their own: done as on the event loop, and nobody else waits for them.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { openStore } from "../src/store/open.ts";
import { openWriter } from "../src/store/sqlite-writer.ts";
import type { Writes } from "../src/store/sqlite-writes.ts";
import { petstore, start, waitFor } from "./process.ts";
import { temporaryDatabase } from "./temporary.ts";
import { startWriters } from "./writers.ts";

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

const whyNoStrace = findWhyNoStrace();
const title =
	"on a disk whose syncs take 50 ms, lists do not wait for adds to be committed";
test.skipIf(whyNoStrace !== undefined)(
	whyNoStrace === undefined ? title : `${title} (${whyNoStrace})`,
	async () => {
		const apiKey = "a-key-known-to-the-tests";
		const service = start(
			[
				// -D: the process that is started is the service, and the tracer runs beside it.
				...(["strace", "-D", "-f", "--seccomp-bpf"] as const),
				...["-o", "/dev/null"],
				...["-e", "trace=fsync,fdatasync"],
				...["-e", "inject=fsync,fdatasync:delay_exit=50000"],
				...[petstore, "serve", "--port", "0", "--database", database.url],
			],
			{ cwd: "/", env: { API_KEY: apiKey } },
		);
		const url = await waitFor(
			() => /"url":"([^"]+)"/.exec(service.output().stderr)?.[1],
			() => `the service did not start: ${service.output().stderr}`,
		);
		const writers = startWriters(8, apiKey, () => [url]);
		// Until it has noticed.
		while (writers.acknowledged.size < 300) await Bun.sleep(20);
		const before = writers.acknowledged.size;
		const times: number[] = [];
		for (let count = 0; count < 60; count++) {
			const begun = performance.now();
			const headers = { Authorization: `Bearer ${apiKey}` };
			const page = await fetch(`${url}/v1/pets`, { headers });
			expect((await page.json()).length).toBe(20);
			times.push(performance.now() - begun);
			await Bun.sleep(5);
		}
		expect(writers.acknowledged.size).toBeGreaterThan(before);
		await writers.stop();
		expect(times.toSorted((a, b) => a - b)[30]).toBeLessThan(15);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	},
	30_000,
);

function findWhyNoStrace(): string | undefined {
	try {
		execFileSync("strace", ["-f", "-o", "/dev/null", "true"]);
		return undefined;
	} catch {
		return "needs Debian's strace, and the right to use it";
	}
}
