// Flushes of counted requests to the store: at intervals, at a stop, and after a failure.
import { afterAll, describe, expect, test } from "bun:test";
import { storeUnavailable } from "../../src/domain/errors.ts";
import { openPetstore } from "../../src/petstore.ts";
import { openStore } from "../../src/store/open.ts";
import type { UsageCount } from "../../src/store/usage.ts";
import { startFlush } from "../../src/usage/flush.ts";
import { silentLog } from "../harness/log.ts";
import { temporaryDatabase } from "../harness/temporary.ts";

const database = temporaryDatabase();
afterAll(database.remove);

describe("Where usage is kept", () => {
	test("loses no count at an orderly stop, and adds to the same hour in the next process", async () => {
		const apiKey = "a-key-known-to-the-tests";
		const log = silentLog;
		for (let round = 0; round < 2; round++) {
			const service = await openPetstore({
				database: database.url,
				apiKey,
				log: { to: log },
			});
			const headers = { Authorization: `Bearer ${apiKey}` };
			for (let sent = 0; sent < 3; sent++)
				await fetch(`${service.url}/v1/pets`, { headers });
			await service.stop();
		}
		const store = await openStore(database.url, { create: false });
		const asked = { from: 0, to: Date.now(), unit: undefined, limit: 10 };
		expect(
			await store.usage.read({ ...asked, period: "hour", by: ["key"] }),
		).toMatchObject([{ key: "PETSTORE_API_KEY", requests: 6 }]);
		await store.close();
	});
});

describe("while the store fails", () => {
	const count = { key: "1", operation: "listPets", status: 200, requests: 1 };

	function open(options: { maxCounts?: number } = {}) {
		const added: UsageCount[] = [];
		const problems: string[] = [];
		const state = { isFailing: false, now: 0 };
		const flush = startFlush(
			{ take: () => [{ ...count, durations: [1, 0] }] },
			{
				async add(counts) {
					if (state.isFailing) throw storeUnavailable();
					added.push(...counts);
				},
			},
			{ reportWork: (_error, message) => problems.push(message) },
			{ clock: () => state.now, ...options },
		);
		return { added, problems, state, flush };
	}

	test("keeps the counts and their times for the next flush", async () => {
		const { added, problems, state, flush } = open();
		state.isFailing = true;
		for (const now of [60_000, 120_000]) {
			state.now = now;
			await flush.now();
		}
		expect(added).toEqual([]);
		expect(new Set(problems)).toEqual(new Set(["the usage was not stored"]));
		state.isFailing = false;
		state.now = 180_000;
		await flush.stop();
		expect(added.map(({ at }) => at).sort()).toEqual(
			[0, 120_000, 60_000].sort(),
		);
	});

	test("combines the counts above a limit, and loses none", async () => {
		const { added, state, flush } = open({ maxCounts: 5 });
		state.isFailing = true;
		for (let time = 1; time <= 20; time++) {
			state.now = time * 60_000;
			await flush.now();
		}
		state.isFailing = false;
		await flush.stop();
		expect(added.length).toBeLessThan(7);
		expect(added.reduce((sum, { requests }) => sum + requests, 0)).toBe(21);
		expect(
			added.reduce((sum, { durations }) => sum + (durations[0] ?? 0), 0),
		).toBe(21);
	});
});
