// Reading files with animals: what public collections of CSV and JSON tests try, files that are damaged at random, and those of
// spreadsheets.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { FileFormat } from "../../src/domain/pet/file-format.ts";
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
import { createReader, type ReadLine } from "../../src/formats/reader.ts";
import { maxBodyBytes } from "../../src/limits.ts";
import { root } from "../harness/process.ts";
import { createRandom } from "../http/random.ts";
import {
	csvFiles,
	csvRows,
	damage,
	encodings,
	jsonFiles,
	pick,
	updates,
} from "./files.ts";

const header = "name,categoryId,status\n";

describe("Files with animals", () => {
	test.each(Object.entries(csvRows))(
		"reads CSV with %s",
		(_what, [rows, told]) => {
			for (const encode of Object.values(encodings))
				expect(tell("csv", encode(Buffer.from(header + rows)))).toBe(told);
		},
	);

	test.each([
		["csv", "add", csvFiles],
		["csv", "update", updates],
		["ndjson", "add", jsonFiles],
	] as const)("reads a %s file for an %s", (format, mode, cases) => {
		for (const [what, [file, told]] of Object.entries(cases))
			for (const encode of Object.values(encodings))
				expect([what, tell(format, encode(Buffer.from(file)), mode)]).toEqual([
					...[what, told],
				]);
	});

	test("reads 600 damaged files, in blocks of any size as at once", () => {
		const random = createRandom(18);
		let bad = 0;
		for (let round = 0; round < 600; round++) {
			const format = pick(["csv", "ndjson"] as const, random);
			const cases = format === "csv" ? csvFiles : jsonFiles;
			const encode = pick(Object.values(encodings), random);
			const [file] = pick(Object.values(cases), random);
			// Some are longer than the longest line, so that lines are read before the last block.
			const text = `${file} `.repeat(round % 100 === 0 ? 4_000 : 1);
			const bytes = damage(encode(Buffer.from(text)), random);
			const size = 2 + random(bytes.length);
			const told = tell(format, bytes);
			const inBlocks = tell(format, bytes, "add", size);
			if (inBlocks !== told)
				expect([`${bytes}`, inBlocks]).toEqual([`${bytes}`, told]);
			if (/bad|refused/.test(told)) bad++;
		}
		expect(bad).toBeGreaterThan(300);
	});
});

test.each(["csv", "ndjson"] as const)(
	"refuses a %s file with a line that is too long",
	(format) => {
		const long = `"${"x".repeat(3 * maxBodyBytes)}`;
		const good =
			format === "csv" ? "Tom,1,sold\n" : '{"name":"Tom","categoryId":1}\n';
		const start = format === "csv" ? header : "";
		for (const rest of ["", `\n${good}`])
			expect(() =>
				readAll(format, Buffer.from(`${start}${good}${long}${rest}`)),
			).toThrow(expect.objectContaining({ line: format === "csv" ? 3 : 2 }));
	},
);

test("refuses a file with more than 1,000 columns, and one whose first line is too long", () => {
	const read = (columns: number) =>
		createReader(
			"csv",
			toImported("add"),
			true,
		)(Buffer.from(`name,categoryId${",x".repeat(columns - 2)}\n`), true);
	expect([...read(1_000)]).toEqual([]);
	for (const [columns, rule] of [
		[1_001, "at most 1,000 columns"],
		[200_000, "longer than 64 KiB"],
	] as const)
		expect(() => [...read(columns)]).toThrow(rule);
});

test("takes names and numbers of categories in the column category, and not both columns, nor unknown ones", () => {
	const file =
		"name,Category\na,Dogs\nb,-7\nc,1E+15\nd,\ne,9223372036854775808\nf, 7\n";
	expect(readAll("csv", Buffer.from(file)).map(toTold)).toEqual([
		expect.objectContaining({ name: "a", category: "Dogs" }),
		expect.objectContaining({ name: "b", categoryId: -7n }),
		expect.stringContaining("A spreadsheet has shortened the number"),
		expect.stringContaining("categoryId is required"),
		expect.stringContaining("categoryId must be a whole number"),
		expect.stringContaining("categoryId must be a whole number"),
	]);
	const both = "name,category,categoryId\n";
	expect(() => readAll("csv", Buffer.from(both))).toThrow("Two columns");
	const unknown = Buffer.from("name,colour,categoryId,size\n");
	expect(() => readAll("csv", unknown)).toThrow('"colour", "size"');
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
			...createReader(format, toImported(undefined))(Buffer.from(file), true),
		]).toThrow("Use update to");
	const none = Buffer.from("id,name,categoryId\n,a,1\n");
	expect([
		...createReader("csv", toImported(undefined))(none, true),
	]).toHaveLength(1);
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
		expect(readSample("excel-de-windows-1252").map(toTold)).toEqual([
			expect.stringContaining("as CSV in UTF-8"),
			...pets.slice(1).map((pet) => expect.objectContaining(pet)),
		]);
	});
});

function readSample(name: string) {
	const path = `${root}test/fixtures/spreadsheets/${name}.csv`;
	return readAll("csv", readFileSync(path));
}

/** What a file has, in the form of the cases. It is read in blocks of this size. */
function tell(
	format: FileFormat,
	bytes: Uint8Array,
	mode: ImportMode = "add",
	size = bytes.length,
): string {
	const readBlock = createReader(format, toImported(mode));
	const lines: ReadLine<FileUpdate>[] = [];
	try {
		for (let at = 0; at <= bytes.length; at += Math.max(size, 1)) {
			const isLast = at + size >= bytes.length;
			lines.push(...readBlock(bytes.subarray(at, at + size), isLast));
			if (isLast) break;
		}
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		return `refused at ${error.line}`;
	}
	return lines
		.flatMap(({ line, read }) => {
			if (read === undefined) return [];
			if (isProblems(read)) return `${line} bad`;
			const { id, name, categoryId, version, status } = read;
			const shown = status === "available" ? "" : status;
			const pet = [name === "" ? '""' : name, categoryId, shown];
			const members = mode === "update" ? [id, ...pet, version] : pet;
			return `${line} ${members.join("|").replace(/\|+$/, "")}`;
		})
		.join("; ");
}

function readAll(
	format: FileFormat,
	bytes: Uint8Array,
	mode: ImportMode = "add",
): ReadLine<FileUpdate>[] {
	return [...createReader(format, toImported(mode))(bytes, true)];
}

/** The animal, or its problems as a person reads them. */
function toTold({ read }: ReadLine<FileUpdate>) {
	return isProblems(read) ? read.map(problemToText).join(" ") : read;
}
