// The filter of animals: its text, and the cursors of lists with it.
import { describe, expect, test } from "bun:test";
import { readStart, toCursor } from "../../src/domain/pet/cursor.ts";
import { filterToText, type PetFilter } from "../../src/domain/pet/filter.ts";

/** Whether it is the cursor after the animal 7. */
function isOf(cursor: string, filter: PetFilter): boolean {
	try {
		return readStart(cursor, filter) === 6n;
	} catch {
		return false;
	}
}

const different: readonly PetFilter[] = [
	{},
	{ status: "sold" },
	{ status: "pending" },
	{ categoryId: 1n },
	{ categoryId: -1n },
	{ name: "1" },
	{ name: "sold" },
	{ name: " categoryId=1" },
	{ name: "1", categoryId: 1n },
	{ name: "1", categoryId: 1n, status: "sold" },
	{ name: "1 ", categoryId: 1n, status: "sold" },
	{ id: 1n },
	{ id: 1n, categoryId: 1n },
	{ name: " id=1" },
];

test("gives each filter a different text", () => {
	const texts = different.map((filter) => filterToText(filter));
	expect(new Set(texts).size).toBe(different.length);
});

describe("Paging", () => {
	test("accepts a cursor only with its own filter", () => {
		for (const own of different)
			for (const other of different)
				expect(isOf(toCursor(7n, own), other)).toBe(own === other);
	});

	test("refuses a cursor that was changed or cut anywhere", () => {
		const cursor = toCursor(7n, { status: "sold" });
		for (let place = 0; place < cursor.length; place++) {
			const start = cursor.slice(0, place);
			const other = cursor[place] === "A" ? "B" : "A";
			for (const broken of [start, start + other + cursor.slice(place + 1)])
				expect(isOf(broken, { status: "sold" })).toBe(false);
		}
		for (const broken of [`${cursor}A`, `${cursor}=`])
			expect(isOf(broken, { status: "sold" })).toBe(false);
		// It is short, however long the name is.
		const filter = { name: "x".repeat(10_000) };
		expect(toCursor(2n ** 63n - 1n, filter).length).toBeLessThan(60);
	});
});
