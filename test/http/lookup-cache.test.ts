// The cache of keys and sessions that the service has looked up.
import { expect, test } from "bun:test";
import {
	createLookupCache,
	maxCachedLookups,
} from "../../src/auth/lookup-cache.ts";
import { keyCacheMs } from "../../src/limits.ts";

function open() {
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
	const { look, asked } = open();
	const values = await Promise.all([look("a"), look("a"), look("a")]);
	expect([...new Set(values)]).toEqual(["value of a"]);
	await look("a");
	expect(asked).toEqual(["a"]);
	await Bun.sleep(keyCacheMs + 10);
	await look("a");
	expect(asked).toEqual(["a", "a"]);
});

test("caches no refusal, and forgets a value on request", async () => {
	const { cache, get, look, asked } = open();
	for (let time = 0; time < 2; time++)
		await expect(look("refused")).rejects.toThrow("refused");
	await look("a");
	cache.forget("a");
	expect(get("a")).toBeUndefined();
	expect(asked).toEqual(["refused", "refused", "a"]);
});

test("does not cache a value that was forgotten during its lookup", async () => {
	const { cache, get } = open();
	const reading = cache.read("a");
	cache.forget("a");
	await reading;
	expect(get("a")).toBeUndefined();
});

test("caches no more values than the limit", async () => {
	const { cache, get } = open();
	for (let count = 0; count < maxCachedLookups; count++)
		await cache.read(String(count));
	expect(get("0")).toBe("value of 0");
	await cache.read("one more");
	expect(get("0")).toBeUndefined();
	expect(get("one more")).toBe("value of one more");
});
