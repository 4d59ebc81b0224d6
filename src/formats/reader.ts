// Reads animals from the bytes of a file. Every line becomes an animal, or a sentence that says what is wrong with it.

import type { FileFormat } from "../domain/file-format.ts";
import { maxJsonDepth, parseJson } from "../domain/json.ts";
import { findUtf8Error, toJsonProblem } from "../domain/json-problem.ts";
import { maxImportedLineBytes } from "../limits.ts";
import { type Columns, FormatError, toColumns, toMembers } from "./columns.ts";
import { findRecordEnd, toFields } from "./csv.ts";
import { type FilePet, toFilePet } from "./pet.ts";
import {
	createSplitter,
	endOfLine,
	type FileRecord,
	withoutLineEnd,
} from "./splitter.ts";

export interface ReadLine {
	/** Where it begins, from 1. */
	readonly line: number;
	/** As it is in the file, with its line end. */
	readonly bytes: Uint8Array;
	/** A sentence about what is wrong; or undefined for further bytes of a line that was too long. */
	readonly read: FilePet | string | undefined;
}

export interface Reader {
	/** Throws a FormatError if the file cannot be read at all. */
	readonly push: (chunk: Uint8Array) => ReadLine[];
	readonly end: () => ReadLine[];
	/** The header line of a CSV file, which a file with its bad lines needs too; empty if there is none. */
	readonly header: () => Uint8Array;
}

export function createReader(format: FileFormat, keepIds: boolean): Reader {
	return format === "csv"
		? createCsvReader(keepIds)
		: createNdjsonReader(keepIds);
}

/** Each line is read as the body of createPet is. */
function createNdjsonReader(keepIds: boolean): Reader {
	const { push, end } = createSplitter(endOfLine);
	const read = (record: FileRecord) =>
		toReadLine(record, (bytes) => readJson(bytes, keepIds));
	return {
		push: (chunk) => push(chunk).flatMap(read),
		end: () => end().flatMap(read),
		header: () => new Uint8Array(),
	};
}

function readJson(bytes: Uint8Array, keepIds: boolean): FilePet | string {
	let value: unknown;
	try {
		value = parseJson(bytes, maxJsonDepth);
	} catch {
		return toJsonProblem(bytes, maxJsonDepth, "line");
	}
	return toFilePet(value, keepIds);
}

function createCsvReader(keepIds: boolean): Reader {
	const splitter = createSplitter(findRecordEnd);
	let header: { columns: Columns; bytes: Uint8Array } | undefined;

	function read(record: FileRecord): ReadLine[] {
		if (header !== undefined) {
			const { columns } = header;
			return toReadLine(record, (bytes) => readCsv(bytes, columns, keepIds));
		}
		if (isEmpty(record)) return [];
		header = { columns: readHeader(record, keepIds), bytes: record.bytes };
		return [];
	}

	return {
		push: (chunk) => splitter.push(chunk).flatMap(read),
		end() {
			const last = splitter.end().flatMap(read);
			if (header === undefined)
				throw new FormatError(1, "The header line is missing.");
			return last;
		},
		header: () => header?.bytes ?? new Uint8Array(),
	};
}

function readHeader(
	{ line, bytes, kind }: FileRecord,
	keepIds: boolean,
): Columns {
	const text = kind === "whole" ? decode(withoutLineEnd(bytes)) : undefined;
	const fields =
		text === undefined
			? "The header line must be UTF-8 text, and not longer than a line may be."
			: toFields(text.replace(/^\uFEFF/, ""));
	if (typeof fields === "string") throw new FormatError(line, fields);
	return toColumns(line, fields, keepIds);
}

function readCsv(
	bytes: Uint8Array,
	columns: Columns,
	keepIds: boolean,
): FilePet | string {
	const text = decode(bytes);
	if (text === undefined)
		return `The line must be UTF-8; byte ${findUtf8Error(bytes) + 1} is not part of a UTF-8 character.`;
	const fields = toFields(text);
	if (typeof fields === "string") return fields;
	if (fields.length !== columns.length)
		return `The line must have ${columns.length} fields, as the header has; it has ${fields.length}.`;
	return toFilePet(toMembers(fields, columns), keepIds);
}

function toReadLine(
	record: FileRecord,
	read: (bytes: Uint8Array) => FilePet | string,
): ReadLine[] {
	const { line, bytes, kind } = record;
	if (kind === "rest") return [{ line, bytes, read: undefined }];
	if (kind === "too long") return [{ line, bytes, read: tooLong }];
	if (isEmpty(record)) return [];
	return [{ line, bytes, read: read(withoutLineEnd(bytes)) }];
}

const tooLong = `The line must not be longer than ${maxImportedLineBytes} bytes.`;

function isEmpty({ bytes }: FileRecord): boolean {
	return bytes.length <= 2 && withoutLineEnd(bytes).length === 0;
}

function decode(bytes: Uint8Array): string | undefined {
	try {
		return decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** Only the mark at the beginning of the file is dropped. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
