// How often the last use of a key or a session is recorded.
import { expect, test } from "bun:test";
import { createUseRecord } from "../../src/http/use-record.ts";
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

test("a use is recorded unless the last one was less than the interval ago", () => {
	const { recorded, recordUse } = open();
	recordUse({ id: "new", lastUsedAt: undefined }, start);
	recordUse({ id: "old", lastUsedAt: start - keyUseIntervalMs }, start);
	recordUse({ id: "recent", lastUsedAt: start - keyUseIntervalMs + 1 }, start);
	expect(recorded).toEqual([
		["new", start],
		["old", start],
	]);
});

test("a use that could not be recorded is tried again only after the interval, whatever others do meanwhile", async () => {
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
