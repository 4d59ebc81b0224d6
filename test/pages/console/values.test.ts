// Parts of the pages that need no browser: the form of an animal, and formats.
import { describe, expect, test } from "bun:test";
import { fromForm } from "../../../src/web/console/pet.tsx";
import {
	formatBytes,
	formatMs,
	formatPercent,
	formatRelative,
	toTitle,
} from "../../../src/web/ui/format.tsx";

describe("the form of an animal", () => {
	const pet = {
		id: 1n,
		name: "Rex\nII",
		categoryId: 9007199254740993n,
		status: "available",
		version: 1n,
	} as const;
	const typed = { name: "RexII", categoryId: "9007199254740993" };

	test("sends what differs, with every digit, and no line break that the field has dropped", () => {
		const status = "available";
		expect(fromForm({ ...typed, status }, pet)).toEqual({});
		const categoryId = "9007199254740992";
		expect(fromForm({ ...typed, status: "sold", categoryId }, pet)).toEqual({
			categoryId: 9007199254740992n,
			status: "sold",
		});
		// The service refuses it.
		expect(fromForm({ ...typed, categoryId: "dogs" }, pet)).toEqual({
			categoryId: "dogs",
		});
	});
});

test.each([
	["🐕".repeat(61), `${"🐕".repeat(59)}…`],
	["a\n".repeat(31), `${"a\n".repeat(29)}a…`],
])("names an animal in a message with at most 60 characters", (name, shown) => {
	expect(toTitle({ id: 1n, name })).toBe(`“\u2068${shown}\u2069”`);
});

describe("formats", () => {
	const now = Date.UTC(2026, 10, 16);
	const minute = 60_000;
	const relative = (ms: number) =>
		formatRelative(new Date(now + ms).toISOString(), now);
	test.each<[string, string]>([
		[relative(20_000), "in a moment"],
		[relative(-90 * minute), "1 hour ago"],
		[relative(3 * 24 * 60 * minute), "in 3 days"],
		[formatBytes(1023), "1,023 bytes"],
		[formatBytes(5n * 1024n * 1024n), "5 MiB"],
		[formatMs(undefined), "–"],
		[formatMs(0.2512), "0.25 ms"],
		[formatMs(1234n), "1.2 s"],
		[formatPercent(0, 0), "–"],
		[formatPercent(1, 3), "33.3 %"],
		[formatPercent(5000, 5000), "100 %"],
	])("%s", (formatted, expected) => {
		expect(formatted).toBe(expected);
	});
});
