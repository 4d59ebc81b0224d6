// How often the last use of a key or a session is recorded.
import { expect, test } from "bun:test";
import { createUseRecord } from "../../src/auth/use-record.ts";
import { keyUseIntervalMs } from "../../src/limits.ts";

const start = 1_000_000;

function open({ fails = false } = {}) {
	const recorded: [string, number][] = [];
	let unrecorded = 0;
	const recordUse = createUseRecord<string>(
		async (id, at) => {
			recorded.push([id, at]);
			if (fails) throw new Error("no answer");
		},
		() => unrecorded++,
	);
	return { recorded, unrecorded: () => unrecorded, recordUse };
}

test("records a use unless the last one was less than the interval ago", () => {
	const { recorded, recordUse } = open();
	recordUse({ id: "new", lastUsedAt: undefined }, start);
	recordUse({ id: "old", lastUsedAt: start - keyUseIntervalMs }, start);
	recordUse({ id: "recent", lastUsedAt: start - keyUseIntervalMs + 1 }, start);
	expect(recorded).toEqual([
		["new", start],
		["old", start],
	]);
});

test("tries to record a failed use again only after the interval, whatever other keys do", async () => {
	const { recorded, unrecorded, recordUse } = open({ fails: true });
	const use = { id: "a", lastUsedAt: undefined };
	recordUse(use, start);
	recordUse({ id: "b", lastUsedAt: undefined }, start + 1);
	recordUse(use, start + keyUseIntervalMs - 1);
	recordUse(use, start + keyUseIntervalMs);
	recordUse(use, start + keyUseIntervalMs + 1);
	expect(recorded).toEqual([
		["a", start],
		["b", start + 1],
		["a", start + keyUseIntervalMs],
	]);
	await Bun.sleep(0);
	expect(unrecorded()).toBe(3);
});

test("records a use even if the last one is far in the future", () => {
	const years = 3 * 365 * 24 * 3_600_000;
	const { recorded, recordUse } = open();
	const skewed = { id: "skewed", lastUsedAt: start + keyUseIntervalMs };
	recordUse(skewed, start);
	recordUse({ id: "ahead", lastUsedAt: start + years }, start);
	// The clock of this process was ahead, and is set back.
	recordUse({ id: "a", lastUsedAt: undefined }, start + years);
	recordUse({ id: "a", lastUsedAt: start + years }, start);
	expect(recorded).toEqual([
		["ahead", start],
		["a", start + years],
		["a", start],
	]);
});
