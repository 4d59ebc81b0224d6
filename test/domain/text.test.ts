// Names as searches compare them.
import { expect, test } from "bun:test";
import { toComparable } from "../../src/domain/text.ts";

test("folds the same letters with marks in another order, and any number of marks in linear time", () => {
	const marks = "\u0301\u0327".repeat(15);
	const sorted = "\u0327".repeat(15) + "\u0301".repeat(15);
	for (const letter of ["A", "Σ", "ガ"])
		expect(toComparable(`${letter}${marks}B`)).toBe(
			toComparable(`${letter}${sorted}B`),
		);
	expect(toComparable("A\u0308ς")).toBe("äσ");
	// As one piece it would take hours.
	const many = toComparable(`A${"\u0301\u0327".repeat(500_000)}`);
	expect(many).toHaveLength(1_000_000);
});
