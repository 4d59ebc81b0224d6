// Reads animals from the bytes of a file. Every line becomes an animal or its problems.
import type { FileFormat } from "../domain/pet/file-format.ts";
import { toSizeText } from "../domain/quantity.ts";
import { isObject, parseText, toJsonRule } from "../domain/types/json.ts";
import { type Columns, isFieldName, toColumns, toMembers } from "./columns.ts";
import {
	csvRule,
	findSeparator,
	readRecord,
	type Separator,
	separatorLine,
	toLineEnd,
} from "./csv.ts";
import type { RowKind } from "./pet.ts";
import { FormatError, type Problems } from "./problem.ts";

export interface ReadLine<Row> {
	/** Where it begins, from 1. */
	readonly line: number;
	/** Undefined if it is empty. */
	readonly read: Row | Problems | undefined;
	/** Unknown members of a JSON object. */
	readonly ignored?: readonly string[] | undefined;
}

/**
 * Reads a file in blocks, the first one of at least two bytes. Gives the lines that are complete. Throws a FormatError if the file cannot
 * be read at all.
 */
export function createReader<Row extends object>(
	format: FileFormat,
	rowKind: RowKind<Row>,
	/** Whether unknown columns of a CSV file are skipped. */
	ignoreUnknown = false,
) {
	const read =
		format === "csv" ? createCsv(rowKind, ignoreUnknown) : createJson(rowKind);
	let strict: TextDecoder | undefined;
	let lax: TextDecoder | undefined;
	let isText = true;
	let rest = "";
	let line = 1;
	return function* (
		block: Uint8Array,
		isLast: boolean,
	): Generator<ReadLine<Row>> {
		strict ??= new TextDecoder(findEncoding(block), { fatal: true });
		lax ??= new TextDecoder(findEncoding(block));
		const text = rest + lax.decode(block, { stream: !isLast });
		try {
			if (isText) strict.decode(block, { stream: !isLast });
		} catch {
			isText = false;
		}
		if (isLast && text === "" && line === 1 && format === "csv")
			throw new FormatError(line, "The header line is missing.");
		// A record that begins before is complete: none is longer.
		const complete = isLast ? text.length : text.length - maxLineLength;
		let start = 0;
		while (start < complete) {
			const isEmpty =
				text.startsWith("\n", start) || text.startsWith("\r\n", start);
			const { end, row, isHeader, ignored } = isEmpty
				? { end: toLineEnd(text, start) }
				: read(text, start, line);
			if (end - start > maxLineLength)
				throw new FormatError(
					line,
					`The line must not be longer than ${toSizeText(maxLineLength)}.`,
				);
			const record = text.slice(start, end);
			// The lax decoder writes this character for other bytes. A good file may have it too.
			if (!isText && record.includes("\ufffd"))
				yield { line, read: [{ message: notUtf8 }] };
			else if (!isHeader) yield { line, read: row, ignored };
			line += record.split("\n").length - 1;
			start = end;
		}
		rest = text.slice(start);
	};
}

const notUtf8 =
	"The line must be UTF-8 text. In a spreadsheet, save the file as CSV in UTF-8.";

/** UTF-8, or UTF-16 with a byte order mark, which spreadsheets write. */
function findEncoding([first, second]: Uint8Array) {
	if (first === 0xff && second === 0xfe) return "utf-16le";
	return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Reads the record at an index: where it ends, and its row unless it is a header, or too long. */
type ReadRecord<Row> = (
	text: string,
	start: number,
	line: number,
) => {
	readonly end: number;
	readonly row?: Row | Problems;
	readonly isHeader?: true;
	readonly ignored?: readonly string[];
};

/** In characters, far above an animal. */
const maxLineLength = 64 * 1024;
/** Levels of JSON. */
const maxDepth = 100;

/** Each line is read like the body of an add. */
function createJson<Row extends object>({
	toRow,
}: RowKind<Row>): ReadRecord<Row> {
	return (text, start) => {
		const end = toLineEnd(text, start);
		if (end - start > maxLineLength) return { end };
		let value: unknown;
		try {
			value = parseText(text.slice(start, end), maxDepth);
		} catch {
			return { end, row: [{ message: toJsonRule("line", maxDepth) }] };
		}
		const names = isObject(value) ? Object.keys(value) : [];
		const ignored = names.filter((name) => !isFieldName(name));
		return { end, row: toRow(value), ignored };
	};
}

function createCsv<Row extends object>(
	{ toRequired, toRow, isUpdate = false }: RowKind<Row>,
	ignoreUnknown: boolean,
): ReadRecord<Row> {
	let separator: Separator | undefined;
	let columns: Columns | undefined;
	return (text, start, line) => {
		separator ??= findSeparator(text, start, maxLineLength);
		if (line === 1 && separatorLine.test(text))
			return { end: toLineEnd(text, start), isHeader: true };
		const { fields, end } = readRecord(text, start, separator, maxLineLength);
		if (columns === undefined) {
			if (fields) columns = toColumns(line, fields, toRequired, ignoreUnknown);
			else if (end - start <= maxLineLength)
				throw new FormatError(line, csvRule);
			return { end, isHeader: true };
		}
		if (fields?.length === columns.length) {
			const { category, ...members } = toMembers(fields, columns, isUpdate);
			return { end, row: toRow(members, category) };
		}
		const message = fields
			? `Expected ${columns.length} fields as in the header, found ${fields.length}.`
			: csvRule;
		return { end, row: [{ message }] };
	};
}
