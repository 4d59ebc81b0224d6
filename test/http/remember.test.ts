// The cache of values computed from texts that requests repeat.
import { expect, test } from "bun:test";
import {
	maxRememberedLength,
	maxRememberedTexts,
	remember,
} from "../../src/http/router.ts";

function open(isKept?: (value: { text: string }) => boolean) {
	const computed: string[] = [];
	const read = remember((text) => {
		computed.push(text);
		if (text === "bad") throw new Error("bad");
		return { text };
	}, isKept);
	return { read, computed };
}

test("computes the value of a text once", () => {
	const { read, computed } = open();
	expect(read("a")).toBe(read("a"));
	expect(read("b")).toEqual({ text: "b" });
	expect(computed).toEqual(["a", "b"]);
});

test("computes an error, a long text and a value not to keep each time", () => {
	const { read, computed } = open(({ text }) => text !== "not kept");
	const long = "x".repeat(maxRememberedLength + 1);
	for (let time = 0; time < 2; time++) {
		expect(() => read("bad")).toThrow("bad");
		read(long);
		read("not kept");
	}
	expect(computed).toEqual(["bad", long, "not kept", "bad", long, "not kept"]);
});

test("remembers no more texts than the limit", () => {
	const { read, computed } = open();
	const [first, ...others] = Array.from(
		{ length: maxRememberedTexts + 1 },
		(_, index) => String(index),
	);
	const value = read(String(first));
	for (const text of others) read(text);
	expect(read(String(first))).not.toBe(value);
	expect(computed).toHaveLength(maxRememberedTexts + 2);
});
