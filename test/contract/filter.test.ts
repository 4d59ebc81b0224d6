// The filter of animals: its text, and the cursors of lists with it.
import { expect, test } from "bun:test";
import { fromCursor, toCursor } from "../../src/contract/cursor.ts";
import { filterToText, type PetFilter } from "../../src/contract/filter.ts";
import { decision } from "../service.ts";

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
	{ order: "oldest" },
	{ order: "oldest", status: "sold" },
	{ name: " oldest" },
	{ name: "1", order: "oldest" },
	{ name: "1 oldest" },
];

test("each filter has a text of its own", () => {
	const texts = different.map((filter) => filterToText(filter));
	expect(new Set(texts).size).toBe(different.length);
});

decision("Paging", () => {
	test("a cursor is accepted with its own filter alone", () => {
		for (const own of different)
			for (const other of different)
				expect(fromCursor(toCursor(7n, own), other)).toBe(
					own === other ? 7n : undefined,
				);
	});

	test("a cursor of an earlier version is still accepted", () => {
		for (const [cursor, lastId, filter] of [
			["Mi4uMTg4NzM5MDUyOQ", 2n, {}],
			["NS5zb2xkLjU3MTY0NzA2OQ", 5n, { status: "sold" }],
		] as const)
			expect(fromCursor(cursor, filter)).toBe(lastId);
	});

	test("a cursor is short, however long the name is", () => {
		const filter = { name: "x".repeat(10_000) };
		expect(toCursor(2n ** 63n - 1n, filter).length).toBeLessThan(60);
	});
});
