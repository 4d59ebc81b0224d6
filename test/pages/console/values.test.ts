// Parts of the pages that need no browser: the form of an animal, and formats.
import { describe, expect, test } from "bun:test";
import { toSizeText } from "../../../src/domain/quantity.ts";
import { fromForm } from "../../../src/web/console/pet.tsx";
import { toTimeoutMs } from "../../../src/web/ui/api.ts";
import {
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

test.each<[string, string, object | undefined, number]>([
	["GET", "/backups", undefined, 15_000],
	["POST", "/pets/batch", { changes: [] }, 15_000],
	["POST", "/pets/1/restore", { version: 1n }, 15_000],
	["POST", "/pets/batch", { filter: {}, remove: true }, 120_000],
	["POST", "/pets/import?dryRun=true", new Blob(), 120_000],
	["POST", "/edits/1/undo", undefined, 120_000],
	["POST", "/backups/a.db/restore", { animals: 1n }, 120_000],
])("%s %s %p fails after %d ms without a reply", (method, path, body, ms) => {
	expect(toTimeoutMs(method, path, body)).toBe(ms);
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
		[toSizeText(1023), "1,023 bytes"],
		[toSizeText(5n * 1024n * 1024n), "5 MiB"],
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
