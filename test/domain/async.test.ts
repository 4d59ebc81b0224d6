// Timeouts: each one settles its own promise, whatever its callback does.
import { expect, test } from "bun:test";
import { withTimeout } from "../../src/domain/async.ts";

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
