// Parts of the console that need no browser: exact JSON, reading replies, edits, formats.
import { describe, expect, test } from "bun:test";
import { parseExactly } from "../../../src/client/json.ts";
import {
	list,
	number,
	object,
	text as readText,
	time,
	toJson,
} from "../../../src/web/console/api/values.ts";
import { toDifference } from "../../../src/web/console/catalogue/content.tsx";
import {
	formatBytes,
	formatMs,
	formatPercent,
	formatRelative,
	formatShort,
	toTitle,
} from "../../../src/web/console/parts/format.ts";

describe("JSON of the console", () => {
	test.each<[string, unknown]>([
		['{"categoryId":9007199254740993}', { categoryId: 9007199254740993n }],
		[
			'[-9223372036854775808,1.5,true,"a\\n\\"b"]',
			[-(2n ** 63n), 1.5, true, 'a\n"b'],
		],
		['{"a\\"b":{"list":[]}}', { 'a"b': { expiresAt: undefined, list: [] } }],
	])("keeps every digit of %s", (text, value) => {
		expect(toJson(value)).toBe(text);
		expect(parseExactly(text)).toEqual(value);
	});
});

test("names the member of a reply that has the wrong form", () => {
	const read = object({ pets: list(String), name: readText, at: time });
	const reply = { pets: [1n], name: "Rex", at: "2030-12-05T00:00:00.000Z" };
	expect(read(reply)).toEqual({
		...reply,
		pets: ["1"],
		at: Date.UTC(2030, 11, 5),
	});
	expect(() => read("x")).toThrow("the reply is not an object");
	expect(() => read({ ...reply, pets: {} })).toThrow("pets is not an array");
	expect(() => read({ ...reply, name: 1n })).toThrow("name is not a string");
	expect(() => read({ ...reply, at: "soon" })).toThrow("at is not a time");
	expect(() => number("1", "pets")).toThrow("pets is not a number");
	expect(number(3n, "pets")).toBe(3);
});

test("sends only the fields of an edit that differ", () => {
	const pet = {
		name: "Rex",
		categoryId: 9007199254740993n,
		status: "available",
	} as const;
	expect(toDifference(pet, pet)).toEqual({});
	expect(toDifference(pet, { ...pet, categoryId: 9007199254740992n })).toEqual({
		categoryId: 9007199254740992n,
	});
	expect(toDifference(pet, { ...pet, name: "R", status: "sold" })).toEqual({
		name: "R",
		status: "sold",
	});
});

test.each([
	["x".repeat(60), `${"x".repeat(60)}`],
	["x".repeat(255), `${"x".repeat(59)}…`],
	["🐕".repeat(61), `${"🐕".repeat(59)}…`],
	["a\n".repeat(31), `${"a\n".repeat(29)}a…`],
])("names an animal in a message with at most 60 characters", (name, shown) => {
	expect(toTitle({ id: 1, name })).toBe(`“\u2068${shown}\u2069”`);
});

describe("formats", () => {
	const now = Date.UTC(2026, 10, 16);
	const minute = 60_000;
	test.each<[string, string]>([
		[formatRelative(now - 20_000, now), "just now"],
		[formatRelative(now + 20_000, now), "in a moment"],
		[formatRelative(now - 90 * minute, now), "1 hour ago"],
		[formatRelative(now + 3 * 24 * 60 * minute, now), "in 3 days"],
		[formatBytes(0), "0 bytes"],
		[formatBytes(1023), "1,023 bytes"],
		[formatBytes(5 * 1024 * 1024), "5 MiB"],
		[formatMs(undefined), "–"],
		[formatMs(0.2512), "0.25 ms"],
		[formatMs(1234), "1.2 s"],
		[formatPercent(0, 0), "–"],
		[formatPercent(0, 5), "0 %"],
		[formatPercent(1, 3), "33.3 %"],
		[formatPercent(5000, 5000), "100 %"],
		[formatShort(0), "0"],
		[formatShort(0.1591), "0.159"],
		[formatShort(12_345.6), "12,346"],
	])("%s", (formatted, expected) => {
		expect(formatted).toBe(expected);
	});
});
