// Reads animals from the bytes of a file. Every line becomes an animal or its problems.
import type { FileFormat } from "../domain/file-format.ts";
import { maxJsonDepth, parseText, toJsonRule } from "../domain/json.ts";
import { toSizeText } from "../domain/quantity.ts";
import { maxImportedLineBytes } from "../limits.ts";
import { type Columns, toColumns, toMembers } from "./columns.ts";
import { csvRule, findSeparator, readRecord, toLineEnd } from "./csv.ts";
import type { RowKind } from "./pet.ts";
import { FormatError, ofLine, type Problems } from "./problem.ts";

export interface ReadLine<Row> {
	/** Where it begins, from 1. */
	readonly line: number;
	readonly read: Row | Problems;
}

/** Throws a FormatError if the file cannot be read at all. */
export function readLines<Row extends object>(
	bytes: Uint8Array,
	format: FileFormat,
	rowKind: RowKind<Row>,
	/** Whether unknown columns of a CSV file are skipped. */
	ignoreUnknown = false,
): Generator<ReadLine<Row>> {
	const text = decode(bytes);
	return format === "csv"
		? readCsv(text, rowKind, ignoreUnknown)
		: readJson(text, rowKind);
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
		throw new FormatError(
			good.split("\n").length,
			"The file must be UTF-8 text. In a spreadsheet, save it as CSV in UTF-8.",
		);
	}
}

/** Each line is read like the body of an add. */
function* readJson<Row extends object>(
	text: string,
	{ toRow }: RowKind<Row>,
): Generator<ReadLine<Row>> {
	for (const { line, start, end } of toRecords(text, (at) => ({
		end: toLineEnd(text, at),
	}))) {
		let value: unknown;
		try {
			value = parseText(text.slice(start, end), maxJsonDepth);
		} catch {
			yield { line, read: ofLine(toJsonRule("line")) };
			continue;
		}
		yield { line, read: toRow(value) };
	}
}

function* readCsv<Row extends object>(
	text: string,
	{ toRequired, toRow, isUpdate = false }: RowKind<Row>,
	ignoreUnknown: boolean,
): Generator<ReadLine<Row>> {
	const separator = findSeparator(text);
	let columns: Columns | undefined;
	for (const { line, fields } of toRecords(text, (at) =>
		readRecord(text, at, separator),
	)) {
		if (columns === undefined) {
			if (fields === undefined) throw new FormatError(line, csvRule);
			columns = toColumns(line, fields, toRequired, ignoreUnknown);
		} else if (fields?.length === columns.length) {
			const { category, ...members } = toMembers(fields, columns, isUpdate);
			yield { line, read: toRow(members, category) };
		} else {
			const problem = fields
				? `Expected ${columns.length} fields as in the header, found ${fields.length}.`
				: csvRule;
			yield { line, read: ofLine(problem) };
		}
	}
	if (columns === undefined)
		throw new FormatError(1, "The header line is missing.");
}

/** The records of a file without its empty lines. `read` gets where one starts. */
function* toRecords<Found extends { readonly end: number }>(
	text: string,
	read: (start: number) => Found,
): Generator<Found & { readonly line: number; readonly start: number }> {
	let line = 1;
	for (let start = 0; start < text.length; ) {
		const found = read(start);
		const { end } = found;
		if (end - start > maxImportedLineBytes)
			throw new FormatError(
				line,
				`The line must not be longer than ${toSizeText(maxImportedLineBytes)}.`,
			);
		const content = text.slice(start, end);
		if (!/^\r?\n$/.test(content)) yield { ...found, line, start };
		line += content.split("\n").length - 1;
		start = end;
	}
}
