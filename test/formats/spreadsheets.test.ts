// Files in the forms that LibreOffice and Excel write, with German and English settings: they are read without a flag, or refused.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toImported } from "../../src/formats/pet.ts";
import { isProblems, problemToText } from "../../src/formats/problem.ts";
import { readLines } from "../../src/formats/reader.ts";
import { root } from "../harness/process.ts";

const samples = `${root}test/fixtures/spreadsheets`;

const pets = [
	{ name: "Räx, der Hund", categoryId: 1n, status: "available" },
	{ name: 'Tom; "die Katze"', categoryId: 2n ** 53n + 1n, status: "sold" },
	{ name: "zwei\nZeilen", categoryId: -3n, status: "pending" },
];

describe("Forms of CSV", () => {
	test.each([
		...["libreoffice-en", "libreoffice-de", "excel-en-utf8", "excel-de-utf8"],
		"excel-unicode-text",
	])("reads %s.csv without a flag", (name) => {
		expect(readSample(name)).toMatchObject(pets);
	});

	test("refuses a file in Windows-1252, and says what to do", () => {
		expect(() => readSample("excel-de-windows-1252")).toThrow(
			expect.objectContaining({
				line: 2,
				message: expect.stringContaining("save it as CSV in UTF-8"),
			}),
		);
	});
});

/** The animals, or sentences about their errors. */
function readSample(name: string) {
	const bytes = readFileSync(`${samples}/${name}.csv`);
	return Array.from(readLines(bytes, "csv", toImported("add")), ({ read }) =>
		isProblems(read) ? read.map(problemToText).join(" ") : read,
	);
}
