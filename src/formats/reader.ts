// Reads animals from the bytes of a file. Every line becomes an animal or its problems.
import type { FileFormat } from "../domain/file-format.ts";
import {
	maxJsonDepth,
	parseNumerals,
	parseText,
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
	findEnd,
	findSeparator,
	type Separator,
	separators,
	toFields,
} from "./csv.ts";
import { type RowKind, toProblems } from "./pet.ts";
import { isProblems, ofField, ofLine, type Problems } from "./problem.ts";
import { createDecoder } from "./text.ts";

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
	const decode = createDecoder();
	const records =
		format === "csv" ? createCsv(rowKind, ignoreUnknown) : createJson(rowKind);
	let kept = "";
	let line = 1;

	/** Keeps the beginning of a record that is not complete. */
	function read(chunk: Uint8Array, isLast: boolean): ReadLine<Row>[] {
		const text = kept + decode(chunk, isLast);
		const lines: ReadLine<Row>[] = [];
		let start = 0;
		while (start < text.length) {
			const found = records.findEnd(text, start);
			if (found === -1 && !isLast) break;
			const end = found === -1 ? text.length : found;
			const record = text.slice(start, end);
			if (record.length > maxImportedLineBytes) throw tooLong(line);
			const content = record.replace(/\r?\n$/, "");
			const row = content === "" ? undefined : records.read(content, line);
			if (row !== undefined) lines.push({ line, read: row });
			line += record.split("\n").length - 1;
			start = end;
		}
		kept = text.slice(start);
		if (kept.length > maxImportedLineBytes) throw tooLong(line);
		if (isLast) records.end();
		return lines;
	}

	return {
		/** Throws a FormatError if the file cannot be read at all. */
		push: (chunk: Uint8Array) => read(chunk, false),
		end: () => read(new Uint8Array(), true),
		/** Whether the lines so far have ids, or the file has a column for them. */
		hasIds: records.hasIds,
	};
}

function tooLong(line: number): FormatError {
	const limit = toLimitText(maxImportedLineBytes);
	return new FormatError(line, `The line must not be longer than ${limit}.`);
}

/** Each line is read like the body of an add. */
function createJson<Row extends object>({ toRow }: RowKind<Row>) {
	let hasIds = false;
	return {
		findEnd: (text: string, start: number) =>
			text.indexOf("\n", start) + 1 || -1,
		read(line: string): Row | Problems {
			let value: unknown;
			try {
				value = line.isWellFormed() ? parseText(line, maxJsonDepth) : undefined;
			} catch {}
			if (value === undefined) return ofLine(toJsonRule("line"));
			hasIds ||= isObject(value) && "id" in value;
			const row = toRow(value);
			return isProblems(row) ? withNumerals(row, value, line) : row;
		},
		end() {},
		hasIds: () => hasIds,
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
	{ required, toRow, isUpdate = false }: RowKind<Row>,
	ignoreUnknown: boolean,
) {
	let separator: Separator | undefined;
	/** Whether a line `sep=` was read. */
	let isNamed = false;
	let columns: Columns | undefined;

	function readHead(text: string, line: number): void {
		if (!text.isWellFormed() || text.includes("\0"))
			throw new FormatError(
				line,
				`The header line must be UTF-8 text. ${saveAsUtf8}`,
			);
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
			columns = toColumns(line, cells, required, ignoreUnknown);
		}
	}

	function readRow(text: string, known: Columns): Row | Problems {
		if (!text.isWellFormed())
			return ofLine(`The line must be UTF-8. ${saveAsUtf8}`);
		const cells = toFields(text, separator ?? ",");
		if (typeof cells === "string") return ofLine(cells);
		if (cells.length !== known.length)
			return ofLine(
				`Expected ${known.length} fields as in the header, found ${cells.length}.`,
			);
		const empty = isUpdate ? findEmpty(cells, known) : [];
		return empty.length > 0 ? empty : toRow(toMembers(cells, known, isUpdate));
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
		hasIds: () => columns?.includes("id") ?? false,
	};
}

const saveAsUtf8 = "In a spreadsheet, save the file as CSV in UTF-8.";

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
