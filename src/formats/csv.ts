// CSV by RFC 4180: where a record ends, its fields, and the text of fields.
import { endOfLine, type FindEnd } from "./splitter.ts";

/** A line end between quotes does not end a record. */
export const findRecordEnd: FindEnd = (bytes, start) => {
	const lineEnd = endOfLine(bytes, start);
	// Most records have no quotes.
	const line = bytes.subarray(start, lineEnd === -1 ? bytes.length : lineEnd);
	if (!line.includes(quote)) return lineEnd;
	for (let at = start; ; ) {
		if (bytes[at] === quote) {
			at = endOfQuoted(bytes, at + 1);
			if (at === -1) return -1;
		}
		while (bytes[at] !== comma) {
			if (bytes[at] === lineFeed) return at + 1;
			if (at >= bytes.length) return -1;
			at++;
		}
		at++;
	}
};

/** The index after the closing quote. A quote at the end of the bytes may be the first of two, but then the line end is not there either. */
function endOfQuoted(bytes: Uint8Array, start: number): number {
	for (let at = start; ; at += 2) {
		at = bytes.indexOf(quote, at);
		if (at === -1) return -1;
		if (bytes[at + 1] !== quote) return at + 1;
	}
}

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;

/** The fields of a record without its line end, or a sentence that says what is wrong with it. */
export function toFields(text: string): string[] | string {
	if (!text.includes('"'))
		return text.includes("\r") ? looseCarriageReturn : text.split(",");
	const fields: string[] = [];
	for (let at = 0; ; at++) {
		const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
		if (typeof field === "string") return field;
		fields.push(field.value);
		at = field.end;
		if (at === text.length) return fields;
	}
}

interface Field {
	readonly value: string;
	/** The index of the comma after it, or the end of the text. */
	readonly end: number;
}

function readPlain(text: string, start: number): Field | string {
	const comma = text.indexOf(",", start);
	const end = comma === -1 ? text.length : comma;
	const value = text.slice(start, end);
	if (value.includes('"'))
		return "A field that contains a quote must be in quotes, with the quote doubled.";
	return value.includes("\r") ? looseCarriageReturn : { value, end };
}

function readQuoted(text: string, start: number): Field | string {
	let end = start + 1;
	for (;;) {
		end = text.indexOf('"', end);
		if (end === -1) return "A quote is not closed.";
		if (text[end + 1] !== '"') break;
		end += 2;
	}
	const value = text.slice(start + 1, end).replaceAll('""', '"');
	const next = text[end + 1];
	return next === undefined || next === ","
		? { value, end: end + 1 }
		: "After a closing quote there must be a comma or the end of the line.";
}

const looseCarriageReturn =
	"A carriage return without a line feed must be in quotes.";

/** One record with its line end. A value is written exactly, also where a spreadsheet would take it for a formula. */
export function toCsvLine(values: readonly string[]): string {
	return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: string): string {
	return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
