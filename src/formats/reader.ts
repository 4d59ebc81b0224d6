// Reads animals from the bytes of a file. Every line becomes an animal or a sentence about its error.
import type { FileFormat } from "../domain/file-format.ts";
import { maxJsonDepth, parseJson } from "../domain/json.ts";
import { findUtf8Error, toJsonProblem } from "../domain/json-problem.ts";
import { maxImportedLineBytes } from "../limits.ts";
import {
	type Columns,
	FormatError,
	findRecordEnd,
	toColumns,
	toFields,
	toMembers,
} from "./csv.ts";
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
	/** A sentence about the error; undefined for further bytes of a line that was too long. */
	readonly read: FilePet | string | undefined;
}

export function createReader(format: FileFormat, keepIds: boolean) {
	const isCsv = format === "csv";
	const splitter = createSplitter(isCsv ? findRecordEnd : endOfLine);
	let header: { columns: Columns; bytes: Uint8Array } | undefined;

	function read(record: FileRecord): ReadLine[] {
		const { line, bytes, kind } = record;
		const text = withoutLineEnd(bytes);
		if (kind === "rest") return [{ line, bytes, read: undefined }];
		if (text.length === 0) return [];
		if (isCsv && header === undefined) {
			header = { columns: readHeader(record, keepIds), bytes };
			return [];
		}
		if (kind === "too long") return [{ line, bytes, read: tooLong }];
		const pet =
			header === undefined
				? readJson(text, keepIds)
				: readCsv(text, header.columns, keepIds);
		return [{ line, bytes, read: pet }];
	}

	return {
		/** Throws a FormatError if the file cannot be read at all. */
		push: (chunk: Uint8Array) => splitter.push(chunk).flatMap(read),
		end() {
			const last = splitter.end().flatMap(read);
			if (isCsv && header === undefined)
				throw new FormatError(1, "The header line is missing.");
			return last;
		},
		/** The header line of a CSV file, which a file with its bad lines needs too; empty for NDJSON. */
		header: () => header?.bytes ?? new Uint8Array(),
	};
}

const tooLong = `The line must not be longer than ${maxImportedLineBytes} bytes.`;

/** Each line is read as the body of createPet is. */
function readJson(bytes: Uint8Array, keepIds: boolean): FilePet | string {
	let value: unknown;
	try {
		value = parseJson(bytes, maxJsonDepth);
	} catch {
		return toJsonProblem(bytes, maxJsonDepth, "line");
	}
	return toFilePet(value, keepIds);
}

function readHeader(
	{ line, bytes, kind }: FileRecord,
	keepIds: boolean,
): Columns {
	const text = kind === "whole" ? decode(withoutLineEnd(bytes)) : undefined;
	const fields =
		text === undefined
			? `The header line must be UTF-8 text of at most ${maxImportedLineBytes} bytes.`
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
		return `Expected ${columns.length} fields as in the header, found ${fields.length}.`;
	return toFilePet(toMembers(fields, columns), keepIds);
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
