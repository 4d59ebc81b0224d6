// What the service remembers of keys and sessions: what it has looked up, and whose use it has recorded.

import { describe, expect, test } from "bun:test";
import {
	createLookupCache,
	createUseRecord,
	keyCacheMs,
	maxCachedLookups,
} from "../../src/auth/keys.ts";
import { keyUseIntervalMs } from "../../src/limits.ts";

describe("The cache of lookups", () => {
	function openCache() {
		const asked: string[] = [];
		const cache = createLookupCache("API key", async (hash) => {
			asked.push(hash);
			if (hash === "refused") throw new Error("refused");
			return `value of ${hash}`;
		});
		const get = (hash: string) => cache.get(hash, performance.now());
		const look = async (hash: string) => get(hash) ?? cache.read(hash);
		return { cache, get, look, asked };
	}

	test("looks a value up once until it expires, even for callers at the same time", async () => {
		const { look, asked } = openCache();
		const values = await Promise.all([look("a"), look("a"), look("a")]);
		expect([...new Set(values)]).toEqual(["value of a"]);
		await look("a");
		expect(asked).toEqual(["a"]);
		await Bun.sleep(keyCacheMs + 10);
		await look("a");
		expect(asked).toEqual(["a", "a"]);
	});

	test("caches no refusal, and forgets a value on request", async () => {
		const { cache, get, look, asked } = openCache();
		for (let time = 0; time < 2; time++)
			await expect(look("refused")).rejects.toThrow("refused");
		await look("a");
		cache.forget("a");
		expect(get("a")).toBeUndefined();
		expect(asked).toEqual(["refused", "refused", "a"]);
	});

	test("does not cache a value that was forgotten during its lookup", async () => {
		const { cache, get } = openCache();
		const reading = cache.read("a");
		cache.forget("a");
		await reading;
		expect(get("a")).toBeUndefined();
	});

	test("caches no more values than the limit", async () => {
		const { cache, get } = openCache();
		for (let count = 0; count < maxCachedLookups; count++)
			await cache.read(String(count));
		expect(get("0")).toBe("value of 0");
		await cache.read("one more");
		expect(get("0")).toBeUndefined();
		expect(get("one more")).toBe("value of one more");
	});
});

describe("The record of the last use", () => {
	const start = 1_000_000;

	test("records a use again only after the interval, even if it failed, whatever other keys do", async () => {
		const recorded: [string, number][] = [];
		let unrecorded = 0;
		const recordUse = createUseRecord(
			"key",
			async (id, at) => {
				recorded.push([id, at]);
				throw new Error("no answer");
			},
			() => unrecorded++,
		);
		recordUse("a", start);
		recordUse("b", start + 1);
		recordUse("a", start + keyUseIntervalMs - 1);
		recordUse("a", start + keyUseIntervalMs);
		recordUse("a", start + keyUseIntervalMs + 1);
		expect(recorded).toEqual([
			["a", start],
			["b", start + 1],
			["a", start + keyUseIntervalMs],
		]);
		await Bun.sleep(0);
		expect(unrecorded).toBe(3);
	});
});
