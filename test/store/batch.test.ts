// Batches: which items share a batch, and which are refused.
import { expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import { createBatch } from "../../src/store/database/batch.ts";

test("puts items that arrive together into one batch, and items that arrive while it runs into the next", async () => {
	const batches: number[][] = [];
	const gate = Promise.withResolvers<void>();
	const call = createBatch(async (items: readonly number[]) => {
		batches.push([...items]);
		if (batches.length === 1) await gate.promise;
		return items.map((item) => item * 10);
	});
	const first = [call(1), call(2)];
	await Bun.sleep(10);
	const later = [call(3), call(4), call(5)];
	gate.resolve();
	expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50]);
	expect(batches).toEqual([
		[1, 2],
		[3, 4, 5],
	]);
});

test("puts at most 256 items into a batch", async () => {
	const sizes: number[] = [];
	const call = createBatch(async (items: readonly number[]) => {
		sizes.push(items.length);
		return items;
	});
	const all = Array.from({ length: 600 }, (_, index) => index);
	expect(await Promise.all(all.map(call))).toEqual(all);
	expect(sizes).toEqual([256, 256, 88]);
});

test("rejects only the items of a batch that fails", async () => {
	const call = createBatch(async (items: readonly string[]) => {
		if (items.includes("bad")) throw new Error("lost");
		return items;
	});
	const failed = Promise.allSettled([call("bad"), call("beside it")]);
	await Bun.sleep(10);
	expect(await call("good")).toBe("good");
	expect(await failed).toMatchObject([
		{ status: "rejected", reason: { message: "lost" } },
		{ status: "rejected", reason: { message: "lost" } },
	]);
});

test("refuses an item that has waited a second longer than the last batch took, and puts it into no batch", async () => {
	const done: string[] = [];
	const call = createBatch(
		async (items: readonly string[]) => {
			done.push(...items);
			if (items.includes("slow")) await Bun.sleep(600);
			return items;
		},
		{ maxSize: 1, sizeOf: (item) => (item === "slow" ? 1 : 9_000) },
	);
	const slow = ["slow", "slow", "slow"].map(call);
	const late = Promise.allSettled([call("late")]);
	await Promise.all(slow);
	expect(await late).toMatchObject([
		{ status: "rejected", reason: { code: "unavailable" } },
	]);
	expect(await call("again")).toBe("again");
	expect(done).toEqual(["slow", "slow", "slow", "again"]);
});

test("takes as many items as fit by their sizes, and refuses more than may wait", async () => {
	const batches: number[][] = [];
	const gate = Promise.withResolvers<void>();
	const call = createBatch(
		async (items: readonly number[]) => {
			batches.push([...items]);
			await gate.promise;
			return items;
		},
		{ maxSize: 5_000, sizeOf: (item) => item },
	);
	const waiting = [3_000, 2_000, 4_000, 6_000, 1_000].map(call);
	expect(await call(2_000).catch((error) => error)).toBe(overloaded);
	gate.resolve();
	await Promise.all(waiting);
	expect(batches).toEqual([[3_000, 2_000], [4_000], [6_000], [1_000]]);
	expect(await call(16_000)).toBe(16_000);
});

test("after a slow batch, those who came meanwhile share the next one with its callers", async () => {
	const sizes: number[] = [];
	const call = createBatch(
		async (items: readonly number[]) => {
			sizes.push(items.length);
			await Bun.sleep(10);
			return items;
		},
		{ lingerMs: 1 },
	);
	/** Calls again soon after it is answered. */
	async function caller(delayMs: number) {
		await Bun.sleep(delayMs);
		for (let calls = 0; calls < 8; calls++) {
			await call(calls);
			await Bun.sleep(2);
		}
	}
	await Promise.all([caller(0), caller(2), caller(4), caller(6)]);
	expect(sizes).toContain(4);
});
