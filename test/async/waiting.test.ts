// Timeouts: each one settles its own promise, whatever its callback does.
import { expect, test } from "bun:test";
import { createTimeout, withTimeout } from "../../src/async/waiting.ts";

const never = new Promise<never>(() => {});

test("settles work that ends in time as without a timeout", async () => {
	const unused = () => new Error("too late");
	expect(await withTimeout(1_000, Promise.resolve(1), unused)).toBe(1);
	const failed = Promise.reject(new Error("failed"));
	await expect(withTimeout(1_000, failed, unused)).rejects.toThrow("failed");
});

test("rejects the promise of a toError that throws, and keeps the other timeouts working", async () => {
	const throwing = () => {
		throw new Error("thrown");
	};
	const outcomes = await Promise.allSettled([
		withTimeout(10, never, throwing),
		withTimeout(10, never, () => new Error("second")),
		withTimeout(20, never, throwing),
		withTimeout(30, never, () => new Error("fourth")),
	]);
	expect(outcomes).toMatchObject(
		["thrown", "second", "thrown", "fourth"].map((message) => ({
			status: "rejected",
			reason: { message },
		})),
	);
});

test("settles work with a shared timer as without one, and rejects late work at its own time", async () => {
	const inTime = createTimeout(60, () => new Error("too late"));
	const begun = performance.now();
	const late = () =>
		inTime(never).catch(({ message }) => ({
			message,
			ms: performance.now() - begun,
		}));
	const first = late();
	expect(await inTime(Promise.resolve(1))).toBe(1);
	const failed = inTime(Promise.reject(new Error("failed")));
	expect(await failed.catch(({ message }) => message)).toBe("failed");
	await Bun.sleep(40);
	const second = late();
	for (const [refused, ms] of [
		[await first, 59],
		[await second, 99],
	] as const) {
		expect(refused.message).toBe("too late");
		expect(refused.ms).toBeGreaterThanOrEqual(ms);
	}
});

test("rejects only the promise of a toError that throws, even with a shared timer", async () => {
	let calls = 0;
	const inTime = createTimeout(10, () => {
		if (calls++ === 0) throw new Error("thrown");
		return new Error("second");
	});
	const outcomes = await Promise.allSettled([inTime(never), inTime(never)]);
	expect(outcomes).toMatchObject([
		{ reason: { message: "thrown" } },
		{ reason: { message: "second" } },
	]);
});
