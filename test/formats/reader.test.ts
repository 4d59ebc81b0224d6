// Reading files with animals: what public collections of CSV and JSON tests try, and files that are damaged at random. Each is read as a
// second, straightforward parser reads it.

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { FileFormat } from "../../src/domain/file-format.ts";
import {
	type FileUpdate,
	type ImportMode,
	toImported,
} from "../../src/formats/pet.ts";
import {
	FormatError,
	isProblems,
	problemToText,
} from "../../src/formats/problem.ts";
import { type ReadLine, readLines } from "../../src/formats/reader.ts";
import { maxImportedLineBytes } from "../../src/limits.ts";
import { root } from "../harness/process.ts";
import { createRandom } from "../http/random.ts";
import {
	csvCases,
	damage,
	encodings,
	header,
	jsonCases,
	pick,
	toGoodFile,
	updateCases,
} from "./files.ts";
import { type Reading, readByReference } from "./reference.ts";

describe("Files with animals", () => {
	test.each(Object.entries(csvCases))("reads CSV with %s", (_what, text) => {
		for (const encode of Object.values(encodings))
			expectSame("csv", encode(Buffer.from(text)));
	});

	test.each(Object.entries(updateCases))(
		"reads an update with %s",
		(_what, text) => {
			expectSame("csv", Buffer.from(text), true);
		},
	);

	test.each(Object.entries(jsonCases))(
		"reads NDJSON with %s",
		(_what, text) => {
			expectSame("ndjson", Buffer.from(text));
			expectSame("ndjson", Buffer.from(text), true);
		},
	);

	test.each(["csv", "ndjson"] as const)(
		"reads 300 damaged %s files as the second parser does",
		(format) => {
			const random = createRandom(18);
			let damaged = 0;
			for (let round = 0; round < 300; round++) {
				const encode = pick(Object.values(encodings), random);
				const good = toGoodFile(format, random);
				const bytes =
					random(2) === 0
						? encode(damage(good, random))
						: damage(encode(good), random);
				const isUpdate = random(2) === 0;
				const read = expectSame(format, bytes, isUpdate);
				const { outcomes, refusedAt } = read;
				const isBad = outcomes.some(([, animal]) => animal === "bad");
				if (isBad || refusedAt !== undefined) damaged++;
			}
			expect(damaged).toBeGreaterThan(150);
		},
	);
});

test.each(["csv", "ndjson"] as const)(
	"refuses a %s file with a line that is too long",
	(format) => {
		const long = `"${"x".repeat(3 * maxImportedLineBytes)}`;
		const good =
			format === "csv" ? "Tom,1,sold\n" : '{"name":"Tom","categoryId":1}\n';
		const start = format === "csv" ? header : "";
		for (const rest of ["", `\n${good}`])
			expect(() =>
				readAll(format, Buffer.from(`${start}${good}${long}${rest}`)),
			).toThrow(expect.objectContaining({ line: format === "csv" ? 3 : 2 }));
	},
);

test("takes names and numbers of categories in the column category, and not both columns", () => {
	const file =
		"name,Category\na,Dogs\nb,-7\nc,1E+15\nd,\ne,9223372036854775808\n";
	expect(readAll("csv", Buffer.from(file)).map(toTold)).toEqual([
		expect.objectContaining({ name: "a", category: "Dogs" }),
		expect.objectContaining({ name: "b", categoryId: -7n }),
		expect.objectContaining({ category: "1E+15" }),
		expect.stringContaining("categoryId is required"),
		expect.stringContaining("categoryId must be a whole number"),
	]);
	const both = "name,category,categoryId\n";
	expect(() => readAll("csv", Buffer.from(both))).toThrow("either");
	const json = '{"name":"a","category":"Dogs"}\n';
	expect(readAll("ndjson", Buffer.from(json)).map(toTold)).toEqual([
		"categoryId is required.",
	]);
});

test("reads no file with ids without a mode", () => {
	for (const [format, file] of [
		["csv", "id,status\n,sold\n3,sold\n"],
		["ndjson", '{"id":1,"name":"a","categoryId":1}\n'],
	] as const)
		expect(() => [
			...readLines(Buffer.from(file), format, toImported(undefined)),
		]).toThrow("--update");
	const none = Buffer.from("id,name,categoryId\n,a,1\n");
	expect([...readLines(none, "csv", toImported(undefined))]).toHaveLength(1);
});

// Files in the forms that LibreOffice and Excel write, with German and English settings.
describe("Files of spreadsheets", () => {
	const pets = [
		{ name: "Räx, der Hund", categoryId: 1n, status: "available" },
		{ name: 'Tom; "die Katze"', categoryId: 2n ** 53n + 1n, status: "sold" },
		{ name: "zwei\nZeilen", categoryId: -3n, status: "pending" },
	];

	test.each([
		...["libreoffice-en", "libreoffice-de", "excel-en-utf8", "excel-de-utf8"],
		"excel-unicode-text",
	])("reads %s.csv without a flag", (name) => {
		expect(readSample(name).map(toTold)).toMatchObject(pets);
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

function readSample(name: string) {
	const path = `${root}test/fixtures/spreadsheets/${name}.csv`;
	return readAll("csv", readFileSync(path));
}

/** Compares with the second parser. */
function expectSame(
	format: FileFormat,
	bytes: Uint8Array,
	isUpdate = false,
): Reading {
	const expected = readByReference(format, bytes, isUpdate);
	const text = String(Buffer.from(bytes));
	expect([text, isUpdate, toReading(format, bytes, isUpdate)]).toEqual([
		...[text, isUpdate, expected],
	]);
	return expected;
}

function toReading(
	format: FileFormat,
	bytes: Uint8Array,
	isUpdate: boolean,
): Reading {
	const mode = isUpdate ? "update" : "add";
	try {
		return {
			outcomes: readAll(format, bytes, mode).map(({ line, read }) => {
				if (isProblems(read)) return [line, "bad"];
				const { id, name, categoryId, status, version } = read;
				const members =
					isUpdate && id !== undefined
						? [id, name, categoryId, status, version].map((member) =>
								String(member ?? null),
							)
						: [name, String(categoryId), status];
				return [line, JSON.stringify(members)];
			}),
		};
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		return { outcomes: [], refusedAt: error.line };
	}
}

function readAll(
	format: FileFormat,
	bytes: Uint8Array,
	mode: ImportMode = "add",
): ReadLine<FileUpdate>[] {
	return [...readLines(bytes, format, toImported(mode))];
}

/** The animal, or its problems as a person reads them. */
function toTold({ read }: ReadLine<FileUpdate>) {
	return isProblems(read) ? read.map(problemToText).join(" ") : read;
}
