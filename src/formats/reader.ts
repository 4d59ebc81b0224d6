// Reads animals from the bytes of a file. Every line becomes an animal or its problems.
import type { FileFormat } from "../domain/file-format.ts";
import {
	maxJsonDepth,
	parseJson,
	parseNumerals,
	toJsonRule,
} from "../domain/json.ts";
import { fields } from "../domain/pet.ts";
import { toLimitText } from "../domain/quantity.ts";
import { isObject } from "../domain/unknown.ts";
import { maxImportedLineBytes } from "../limits.ts";
import {
	type ColumnName,
	type Columns,
	FormatError,
	toColumns,
	toMembers,
} from "./columns.ts";
import {
	findSeparator,
	type Separator,
	separators,
	toFields,
	toFindEnd,
} from "./csv.ts";
import { createTranscoder } from "./encoding.ts";
import { type RowKind, toProblems } from "./pet.ts";
import { isProblems, ofField, ofLine, type Problems } from "./problem.ts";
import {
	createSplitter,
	endOfLine,
	type FileRecord,
	isEmptyLine,
	withoutLineEnd,
} from "./splitter.ts";

export interface ReadLine<Row> {
	/** Where it begins, from 1. */
	readonly line: number;
	readonly read: Row | Problems;
}

export function createReader<Row extends object>(
	format: FileFormat,
	rowKind: RowKind<Row>,
	/** Whether unknown columns of a CSV file are skipped. */
	ignoreUnknown = false,
) {
	const transcoder = createTranscoder();
	const csv = format === "csv" ? createCsv(rowKind, ignoreUnknown) : undefined;
	const splitter = createSplitter(csv?.findEnd ?? endOfLine);
	let hasIds = false;
	const readText = csv?.read ?? readJson;

	/** Each line is read like the body of an add. Its line end is white space in JSON. */
	function readJson(bytes: Uint8Array): Row | Problems {
		let value: unknown;
		try {
			value = parseJson(bytes, maxJsonDepth);
		} catch {
			return ofLine(toJsonRule("line"));
		}
		hasIds ||= isObject(value) && "id" in value;
		const row = rowKind.toRow(value);
		return isProblems(row) ? withNumerals(row, value, bytes) : row;
	}

	function read(records: Iterable<FileRecord>): ReadLine<Row>[] {
		const lines: ReadLine<Row>[] = [];
		for (const record of records) {
			const { line, bytes, isTooLong } = record;
			if (isEmptyLine(bytes) || csv?.readHead(record)) continue;
			lines.push({ line, read: isTooLong ? tooLong : readText(bytes) });
		}
		return lines;
	}

	return {
		/** Throws a FormatError if the file cannot be read at all. */
		push: (chunk: Uint8Array) => read(splitter.push(transcoder.push(chunk))),
		end() {
			const last = read(splitter.push(transcoder.end()));
			const lines = [...last, ...read(splitter.end())];
			csv?.end();
			return lines;
		},
		/** Whether the lines so far have ids, or the file has a column for them. */
		hasIds: () => csv?.hasIds() ?? hasIds,
	};
}

const tooLong = ofLine(
	`The line must not be longer than ${toLimitText(maxImportedLineBytes)}.`,
);

/** With numbers as the line has them: `parseJson` rounds a number outside int64. */
function withNumerals(
	problems: Problems,
	value: unknown,
	line: Uint8Array,
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
	{ required, toRow, hasOnlyFullCells }: RowKind<Row>,
	ignoreUnknown: boolean,
) {
	let separator: Separator | undefined;
	/** Whether a line `sep=` was read. */
	let isNamed = false;
	let columns: Columns | undefined;
	let findEnd = toFindEnd(separators);

	function readHead(record: FileRecord): boolean {
		if (columns !== undefined) return false;
		const text = toHeadText(record);
		const named = /^sep=(.*)$/is.exec(text)?.[1];
		if (named !== undefined && !isNamed) {
			isNamed = true;
			separator ??= requireSeparator(record.line, named);
		} else if (text !== "") {
			separator ??= findSeparator(text);
			const cells = toFields(text, separator);
			if (typeof cells === "string") throw new FormatError(record.line, cells);
			columns = toColumns(record.line, cells, required, ignoreUnknown);
			findEnd = toFindEnd([separator]);
		}
		return true;
	}

	function read(line: Uint8Array): Row | Problems {
		const bytes = withoutLineEnd(line);
		const text = decode(bytes);
		if (text === undefined)
			return ofLine(`The line must be UTF-8. ${saveAsUtf8}`);
		const cells = toFields(text, separator ?? ",");
		if (typeof cells === "string") return ofLine(cells);
		const known = columns ?? [];
		if (cells.length !== known.length)
			return ofLine(
				`Expected ${known.length} fields as in the header, found ${cells.length}.`,
			);
		const empty = hasOnlyFullCells ? findEmpty(cells, known) : [];
		return empty.length > 0 ? empty : toRow(toMembers(cells, known));
	}

	return {
		findEnd: (bytes: Uint8Array, start: number) => findEnd(bytes, start),
		/** Returns whether the record comes before the animals. */
		readHead,
		read,
		end() {
			if (columns === undefined)
				throw new FormatError(1, "The header line is missing.");
		},
		hasIds: () => columns?.includes("id") ?? false,
	};
}

function findEmpty(cells: readonly string[], columns: Columns): Problems {
	const empty = columns.filter(
		(column, index) =>
			cells[index] === "" && column !== undefined && isRequired(column),
	);
	return toProblems(
		{},
		empty.map((column) => `${column} must not be empty in an update.`),
	);
}

function isRequired(column: ColumnName): boolean {
	const { from, isOptional } = fields[column];
	return from === "client" && !isOptional;
}

function toHeadText({ line, bytes, isTooLong }: FileRecord): string {
	const text = isTooLong ? undefined : decode(withoutLineEnd(bytes));
	if (text === undefined || text.includes("\0"))
		throw new FormatError(
			line,
			`The header line must be UTF-8 text of at most ${toLimitText(maxImportedLineBytes)}. ${saveAsUtf8}`,
		);
	return text.replace(/^\uFEFF/, "");
}

const saveAsUtf8 = "In a spreadsheet, save the file as CSV in UTF-8.";

function requireSeparator(line: number, text: string): Separator {
	const found = separators.find((separator) => separator === text);
	if (found !== undefined) return found;
	throw new FormatError(line, "sep= must name a comma, a semicolon or a tab.");
}

function decode(bytes: Uint8Array): string | undefined {
	try {
		return decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** Keeps byte order marks: `toHeadText` drops the one at the beginning of the file. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
