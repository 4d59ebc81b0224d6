// Splits the bytes of a file into records, each with the number of its first line. It keeps no more than one record and one chunk.
import { maxImportedLineBytes as maxLineBytes } from "../limits.ts";

export interface FileRecord {
	/** From 1. */
	readonly line: number;
	/** As it is in the file, with its line end. Only its beginning if it is too long. */
	readonly bytes: Uint8Array;
	readonly isTooLong: boolean;
}

/** Returns the index after the line end of the record that begins at `start`; -1 if it is not in these bytes. */
export type FindEnd = (bytes: Uint8Array, start: number) => number;

export function createSplitter(findEnd: FindEnd) {
	let kept: Uint8Array = new Uint8Array();
	let line = 1;
	/** Whether the bytes belong to a record that was too long. They are skipped. */
	let isRest = false;

	function* split(bytes: Uint8Array, isLast: boolean): Generator<FileRecord> {
		let start = 0;
		while (start < bytes.length) {
			const found = isRest ? endOfLine(bytes, start) : findEnd(bytes, start);
			const end = found === -1 && (isLast || isRest) ? bytes.length : found;
			const isTooLong =
				(end === -1 ? bytes.length : end) - start > maxLineBytes;
			if (isRest) {
				line += countLines(bytes.subarray(start, end));
				isRest = found === -1;
				start = end;
			} else if (isTooLong) {
				yield toRecord(bytes.subarray(start, start + maxLineBytes), true);
				isRest = true;
				start += maxLineBytes;
			} else if (end === -1) break;
			else {
				yield toRecord(bytes.subarray(start, end), false);
				start = end;
			}
		}
		kept = bytes.subarray(start);
	}

	function toRecord(bytes: Uint8Array, isTooLong: boolean): FileRecord {
		const record = { line, bytes, isTooLong };
		line += countLines(bytes);
		return record;
	}

	return {
		/** A generator, since the header line of a CSV file decides how the next records end. */
		push: (chunk: Uint8Array) =>
			split(kept.length === 0 ? chunk : Buffer.concat([kept, chunk]), false),
		end: () => split(kept, true),
	};
}

export const endOfLine: FindEnd = (bytes, start) =>
	bytes.indexOf(lineFeed, start) + 1 || -1;

function countLines(bytes: Uint8Array): number {
	let count = 0;
	for (let at = bytes.indexOf(lineFeed); at !== -1; count++)
		at = bytes.indexOf(lineFeed, at + 1);
	return count;
}

/** Without LF or CRLF at its end. */
export function withoutLineEnd(bytes: Uint8Array): Uint8Array {
	if (bytes.at(-1) !== lineFeed) return bytes;
	return bytes.subarray(0, bytes.at(-2) === carriageReturn ? -2 : -1);
}

export function isEmptyLine(bytes: Uint8Array): boolean {
	return bytes.length <= 2 && withoutLineEnd(bytes).length === 0;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
