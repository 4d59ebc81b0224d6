// CSV by RFC 4180: where a record ends, its fields, its columns, and the text of fields.
import { maxInt64, minInt64 } from "../domain/json.ts";
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

/** The index after the closing quote. A quote at the end of the bytes may be the first of two, but then the line end is missing too. */
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

/** The fields of a record without its line end, or a sentence about its error. */
export function toFields(text: string): string[] | string {
	if (!text.includes('"'))
		return text.includes("\r") ? looseCarriageReturn : text.split(",");
	const fields: string[] = [];
	for (let at = 0; at <= text.length; ) {
		field.lastIndex = at;
		const [whole, quoted, plain = ""] = field.exec(text) ?? [];
		if (whole === undefined) return toProblem(text.slice(at));
		fields.push(quoted?.replaceAll('""', '"') ?? plain);
		at += whole.length + 1;
	}
	return fields;
}

const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r]*))(?=,|$)/y;

/** The error in the first field. */
function toProblem(text: string): string {
	if (/^"[^"]*(?:""[^"]*)*"(?!")/.test(text))
		return "A comma or the end of the line must follow a closing quote.";
	if (text.startsWith('"')) return "A quote is not closed.";
	return /^[^,]*"/.test(text)
		? "A field that contains a quote must be in quotes, with the quote doubled."
		: looseCarriageReturn;
}

const looseCarriageReturn =
	"A carriage return without a line feed must be in quotes.";

/** One record with its line end. A value is written exactly, even if a spreadsheet would take it for a formula. */
export function toCsvLine(values: readonly string[]): string {
	return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: string): string {
	return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

export const columnNames = ["id", "name", "categoryId", "status"] as const;
type ColumnName = (typeof columnNames)[number];
export type Columns = readonly ColumnName[];

/** The file cannot be read, whatever its other lines are. */
export class FormatError extends Error {
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

/** Throws a FormatError if a column is unknown, missing or duplicate. */
export function toColumns(
	line: number,
	fields: readonly string[],
	keepIds: boolean,
): Columns {
	const columns = fields.map((field) => {
		const name = columnNames.find((known) => known === field);
		if (name !== undefined) return name;
		throw new FormatError(
			line,
			`Unknown column ${JSON.stringify(field.slice(0, 40))}; the columns are ${columnNames.join(", ")}.`,
		);
	});
	const doubled = columns.find((name, at) => columns.indexOf(name) < at);
	if (doubled !== undefined)
		throw new FormatError(line, `Duplicate column ${doubled}.`);
	const required: Columns = ["name", "categoryId"];
	const missing = (keepIds ? columnNames.slice(0, 3) : required).find(
		(name) => !columns.includes(name),
	);
	if (missing !== undefined)
		throw new FormatError(line, `Missing column ${missing}.`);
	return columns;
}

/** As `parseJson` would return them. CSV cannot tell an empty field from none: an empty name is a name, the others count as absent. */
export function toMembers(
	fields: readonly string[],
	columns: Columns,
): Readonly<Partial<Record<ColumnName, unknown>>> {
	const members: Partial<Record<ColumnName, unknown>> = {};
	for (const [index, column] of columns.entries()) {
		const field = fields[index] ?? "";
		if (column === "name") members.name = field;
		else if (field !== "")
			members[column] = column === "status" ? field : toWhole(field);
	}
	return members;
}

/** The bigint of a plain whole number, or else the text, which breaks the rule of its member. */
function toWhole(text: string): bigint | string {
	if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return text;
	const value = BigInt(text);
	return value >= minInt64 && value <= maxInt64 ? value : text;
}
