// Reads animals from the bytes of a file. Every line becomes an animal or its problems.
import type { FileFormat } from "../domain/file-format.ts";
import {
	maxJsonDepth,
	parseNumerals,
	parseText,
	toJsonRule,
} from "../domain/json.ts";
import { toSizeText } from "../domain/quantity.ts";
import { isObject } from "../domain/unknown.ts";
import { maxImportedLineBytes } from "../limits.ts";
import { type Columns, toColumns, toMembers } from "./columns.ts";
import {
	findEnd,
	findSeparator,
	type Separator,
	separators,
	toFields,
} from "./csv.ts";
import type { RowKind } from "./pet.ts";
import {
	FormatError,
	isProblems,
	ofField,
	ofLine,
	type Problems,
} from "./problem.ts";

export interface ReadLine<Row> {
	/** Where it begins, from 1. */
	readonly line: number;
	readonly read: Row | Problems;
}

/** Throws a FormatError if the file cannot be read at all. */
export function* readLines<Row extends object>(
	bytes: Uint8Array,
	format: FileFormat,
	rowKind: RowKind<Row>,
	/** Whether unknown columns of a CSV file are skipped. */
	ignoreUnknown = false,
): Generator<ReadLine<Row>> {
	const text = decode(bytes);
	const records =
		format === "csv" ? createCsv(rowKind, ignoreUnknown) : createJson(rowKind);
	let line = 1;
	for (let start = 0; start < text.length; ) {
		const found = records.findEnd(text, start);
		const end = found === -1 ? text.length : found;
		if (end - start > maxImportedLineBytes) throw tooLong(line);
		const record = text.slice(start, end);
		const content = record.replace(/\r?\n$/, "");
		const read = content === "" ? undefined : records.read(content, line);
		if (read !== undefined) yield { line, read };
		line += record.split("\n").length - 1;
		start = end;
	}
	records.end();
}

/** UTF-8, or UTF-16 with a byte order mark, which spreadsheets write. */
function decode(bytes: Uint8Array): string {
	const [first, second] = bytes;
	const isLittle = first === 0xff && second === 0xfe;
	const isBig = first === 0xfe && second === 0xff;
	const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8";
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		const [good = ""] = new TextDecoder(encoding).decode(bytes).split("\ufffd");
		throw notText(good.split("\n").length);
	}
}

function notText(line: number): FormatError {
	return new FormatError(
		line,
		"The file must be UTF-8 text. In a spreadsheet, save it as CSV in UTF-8.",
	);
}

function tooLong(line: number): FormatError {
	const limit = toSizeText(maxImportedLineBytes);
	return new FormatError(line, `The line must not be longer than ${limit}.`);
}

/** Each line is read like the body of an add. */
function createJson<Row extends object>({ toRow }: RowKind<Row>) {
	return {
		findEnd: (text: string, start: number) =>
			text.indexOf("\n", start) + 1 || -1,
		read(line: string): Row | Problems {
			let value: unknown;
			try {
				value = parseText(line, maxJsonDepth);
			} catch {
				return ofLine(toJsonRule("line"));
			}
			const row = toRow(value);
			return isProblems(row) ? withNumerals(row, value, line) : row;
		},
		end() {},
	};
}

/** With numbers as the line has them: `parseText` rounds a number outside int64. */
function withNumerals(
	problems: Problems,
	value: unknown,
	line: string,
): Problems {
	if (!isObject(value)) return problems;
	const numerals = parseNumerals(line);
	return problems.map((problem) => {
		const { field = "", message } = problem;
		return typeof value[field] === "number" && isObject(numerals)
			? ofField(field, numerals[field], message)
			: problem;
	});
}

/** Reads the lines of a CSV file, after it has found its separator and columns. */
function createCsv<Row extends object>(
	{ toRequired, toRow, isUpdate = false }: RowKind<Row>,
	ignoreUnknown: boolean,
) {
	let separator: Separator | undefined;
	/** Whether a line `sep=` was read. */
	let isNamed = false;
	let columns: Columns | undefined;

	function readHead(text: string, line: number): void {
		// UTF-16 without a byte order mark.
		if (text.includes("\0")) throw notText(line);
		const named = /^sep=(.*)$/is.exec(text)?.[1];
		if (named !== undefined && !isNamed) {
			isNamed = true;
			separator = separators.find((known) => known === named);
			if (separator === undefined)
				throw new FormatError(
					line,
					"sep= must name a comma, a semicolon or a tab.",
				);
		} else {
			separator ??= findSeparator(text);
			const cells = toFields(text, separator);
			if (typeof cells === "string") throw new FormatError(line, cells);
			columns = toColumns(line, cells, toRequired, ignoreUnknown);
		}
	}

	function readRow(text: string, known: Columns): Row | Problems {
		const cells = toFields(text, separator ?? ",");
		if (typeof cells === "string") return ofLine(cells);
		if (cells.length !== known.length)
			return ofLine(
				`Expected ${known.length} fields as in the header, found ${cells.length}.`,
			);
		const { category, ...members } = toMembers(cells, known, isUpdate);
		if (category === undefined) return toRow(members);
		const [name, categoryId] = [String(category), fromDigits(String(category))];
		return categoryId === undefined
			? toRow(members, name)
			: toRow({ ...members, categoryId });
	}

	return {
		findEnd: (text: string, start: number) =>
			findEnd(text, start, columns && separator ? [separator] : separators),
		/** Undefined for a line before the animals. */
		read: (text: string, line: number) =>
			columns === undefined ? readHead(text, line) : readRow(text, columns),
		end() {
			if (columns === undefined)
				throw new FormatError(1, "The header line is missing.");
		},
	};
}

/** No category has a whole number as its name. */
function fromDigits(text: string): bigint | undefined {
	return /^[+-]?\d+$/.test(text) ? BigInt(text) : undefined;
}
