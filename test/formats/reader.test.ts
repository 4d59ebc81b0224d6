// Reading files with animals: what public collections of CSV and JSON tests try, and files that are damaged at random. Each is read as a
// second, straightforward parser reads it, whatever chunks the file comes in.

import { describe, expect, test } from "bun:test";
import type { FileFormat } from "../../src/domain/file-format.ts";
import { maxInt64 } from "../../src/domain/json.ts";
import { fields, givenNames } from "../../src/domain/pet.ts";
import { FormatError } from "../../src/formats/columns.ts";
import {
	type FileUpdate,
	newPets,
	ownPets,
	type RowKind,
	updates,
} from "../../src/formats/pet.ts";
import { isProblems, problemToText } from "../../src/formats/problem.ts";
import { createReader, type ReadLine } from "../../src/formats/reader.ts";
import { maxImportedLineBytes } from "../../src/limits.ts";
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
			expectSame("csv", encode(Buffer.from(text)), [1, 3, 1_000]);
	});

	test.each(Object.entries(updateCases))(
		"reads an update with %s",
		(_what, text) => {
			expectSame("csv", Buffer.from(text), [1, 1_000], true);
		},
	);

	test.each(Object.entries(jsonCases))(
		"reads NDJSON with %s",
		(_what, text) => {
			expectSame("ndjson", Buffer.from(text), [1, 3, 1_000]);
			expectSame("ndjson", Buffer.from(text), [1, 3, 1_000], true);
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
				const sizes = [1 + random(40), 100_000];
				const isUpdate = random(2) === 0;
				const read = expectSame(format, bytes, sizes, isUpdate);
				const { outcomes, refusedAt } = read;
				const isBad = outcomes.some(([, animal]) => animal === "bad");
				if (isBad || refusedAt !== undefined) damaged++;
			}
			expect(damaged).toBeGreaterThan(150);
		},
	);
});

test("names the line and the byte of invalid UTF-8", () => {
	const bad = Buffer.from([0x52, 0xff, 0x2c, 0x31, 0x2c, 0x0a]);
	const lines = readAll("csv", Buffer.concat([Buffer.from(header), bad]), 9);
	expect(lines.map(toTold)[0]).toMatchObject({
		line: 2,
		read: "The line must be UTF-8. In a spreadsheet, save the file as CSV in UTF-8.",
	});
	const surrogate = Buffer.from('{"name":"\xed\xa0\x80"}\n', "latin1");
	expect(readAll("ndjson", surrogate, 9).map(toTold)[0]?.read).toBe(
		"The line must be JSON text in UTF-8, nested no deeper than 2000 levels.",
	);
});

test("names the member and the rule in an error, or the place in the line", () => {
	const problems = readAll(
		"ndjson",
		Buffer.from('{"name":5,"status":"gone"}\n{"name":"Rex",}\n3\n'),
		1_000,
	).map((line) => toTold(line).read);
	expect(problems).toEqual([
		'name must be a string; found "5". categoryId is required. status must be one of available, pending, sold; found "gone".',
		"The line must be JSON text in UTF-8, nested no deeper than 2000 levels.",
		"An animal must be a JSON object.",
	]);
});

test("accepts ids from 1 to 2^63 - 1 where it reads them", () => {
	const ids = [
		"1",
		`${maxInt64}`,
		"0",
		"-1",
		"1.5",
		'"1"',
		"1e19",
		`${2n ** 63n}`,
	];
	const lines = ids.map((id) => `{"id":${id},"name":"a","categoryId":1}\n`);
	const { push } = createReader("ndjson", ownPets);
	const outcomes = push(Buffer.from(lines.join(""))).map((line) => {
		const { read } = toTold(line);
		return typeof read === "object" ? read.id : read;
	});
	const rule = (found: unknown) =>
		`id must be a whole number from 1 to ${maxInt64}; found "${found}".`;
	expect(outcomes).toEqual([
		...[1n, maxInt64, rule(0), rule(-1), rule(1.5)],
		...[rule(1), rule("1e19"), rule(2n ** 63n)],
	]);
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
				readAll(format, Buffer.from(`${start}${good}${long}${rest}`), 70_000),
			).toThrow(
				expect.objectContaining({
					line: format === "csv" ? 3 : 2,
					message: "The line must not be longer than 64 KiB.",
				}),
			);
	},
);

test("limits a name to 255 characters", () => {
	const name = "🐕".repeat(255);
	for (const [text, isGood] of [
		[name, true],
		[`${name}x`, false],
	] as const) {
		const line = JSON.stringify({ name: text, categoryId: 1 });
		const [read] = readAll("ndjson", Buffer.from(line), 100_000).map(toTold);
		if (isGood) expect(read?.read).toHaveProperty("name", text);
		else expect(read?.read).toMatch(/^name .* 255 characters/);
	}
});

test("an empty cell of an update clears what may be absent, and is an error in other columns", () => {
	for (const name of givenNames) {
		const file = Buffer.from(`id,${name}\n1,\n`);
		const [read] = readAll("csv", file, 100, updates).map(toTold);
		if (fields[name].isOptional)
			expect(read?.read).toMatchObject({ id: 1n, [name]: null });
		else expect(read?.read).toContain(`${name} must not be empty`);
	}
});

/** Compares with the second parser, for each size of chunks. */
function expectSame(
	format: FileFormat,
	bytes: Uint8Array,
	chunkSizes: readonly number[],
	isUpdate = false,
): Reading {
	const expected = readByReference(format, bytes, isUpdate);
	for (const size of chunkSizes)
		expect([
			...[String(Buffer.from(bytes)), size, isUpdate],
			toReading(format, bytes, size, isUpdate),
		]).toEqual([...[String(Buffer.from(bytes)), size, isUpdate], expected]);
	return expected;
}

function toReading(
	format: FileFormat,
	bytes: Uint8Array,
	size: number,
	isUpdate: boolean,
): Reading {
	const kind = isUpdate ? updates : newPets;
	try {
		return {
			outcomes: readAll(format, bytes, size, kind).map(({ line, read }) => {
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
	size: number,
	kind: RowKind<FileUpdate> = newPets,
): ReadLine<FileUpdate>[] {
	const { push, end } = createReader(format, kind);
	const lines: ReadLine<FileUpdate>[] = [];
	for (let from = 0; from < bytes.length; from += size)
		lines.push(...push(bytes.slice(from, from + size)));
	return [...lines, ...end()];
}

/** With the problems as a person reads them. */
function toTold({ line, read }: ReadLine<FileUpdate>) {
	return isProblems(read)
		? { line, read: read.map(problemToText).join(" ") }
		: { line, read };
}
