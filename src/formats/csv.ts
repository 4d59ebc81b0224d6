// CSV by RFC 4180, separated by commas, semicolons or tabs: finds the end of a record, splits it, and writes one.
import { endOfLine, type FindEnd } from "./splitter.ts";

export const separators = [",", ";", "\t"] as const;
export type Separator = (typeof separators)[number];

/** A line end between quotes does not end a record. A quote opens only at the beginning of a field. */
export function toFindEnd(possible: readonly Separator[]): FindEnd {
	const codes = possible.map((separator) => separator.charCodeAt(0));
	return (bytes, start) => {
		const lineEnd = endOfLine(bytes, start);
		// Most records have no quotes.
		const line = bytes.subarray(start, lineEnd === -1 ? bytes.length : lineEnd);
		if (!line.includes(quote)) return lineEnd;
		for (let at = start; ; ) {
			if (bytes[at] === quote) {
				at = endOfQuoted(bytes, at + 1);
				if (at === -1) return -1;
			}
			for (; ; at++) {
				const byte = bytes[at];
				if (byte === undefined) return -1;
				if (byte === lineFeed) return at + 1;
				if (codes.includes(byte)) break;
			}
			at++;
		}
	};
}

/** The index after the closing quote. A quote at the end may be the first of two, but then the line end is missing too. */
function endOfQuoted(bytes: Uint8Array, start: number): number {
	for (let at = start; ; at += 2) {
		at = bytes.indexOf(quote, at);
		if (at === -1) return -1;
		if (bytes[at + 1] !== quote) return at + 1;
	}
}

const quote = 0x22;
const lineFeed = 0x0a;

/** The fields of a record without its line end, or an error message. */
export function toFields(
	text: string,
	separator: Separator,
): string[] | string {
	if (!text.includes('"'))
		return text.includes("\r") ? looseCarriageReturn : text.split(separator);
	const field = fieldPatterns[separator];
	const fields: string[] = [];
	for (let at = 0; at <= text.length; ) {
		field.lastIndex = at;
		const [whole, quoted, plain = ""] = field.exec(text) ?? [];
		if (whole === undefined) return toProblem(text.slice(at), separator);
		fields.push(quoted?.replaceAll('""', '"') ?? plain);
		at += whole.length + 1;
	}
	return fields;
}

const fieldPatterns: Readonly<Record<Separator, RegExp>> = {
	",": /(?:"([^"]*(?:""[^"]*)*)"|([^",\r]*))(?=,|$)/y,
	";": /(?:"([^"]*(?:""[^"]*)*)"|([^";\r]*))(?=;|$)/y,
	"\t": /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r]*))(?=\t|$)/y,
};

function toProblem(text: string, separator: Separator): string {
	if (/^"[^"]*(?:""[^"]*)*"(?!")/.test(text))
		return `A ${separatorWords[separator]} or the end of the line must follow a closing quote.`;
	if (text.startsWith('"')) return "A quote is not closed.";
	return text.split(separator, 1)[0]?.includes('"')
		? "A field that contains a quote must be in quotes, with the quote doubled."
		: looseCarriageReturn;
}

const separatorWords: Readonly<Record<Separator, string>> = {
	",": "comma",
	";": "semicolon",
	"\t": "tab",
};

const looseCarriageReturn =
	"A carriage return without a line feed must be in quotes.";

/** The separator that splits a header line into the most fields; a comma if none does. */
export function findSeparator(header: string): Separator {
	const count = (separator: Separator) => {
		const fields = toFields(header, separator);
		return typeof fields === "string" ? 0 : fields.length;
	};
	return separators.reduce((best, other) =>
		count(other) > count(best) ? other : best,
	);
}

/** One record with its line end. A value is written exactly, even if a spreadsheet would take it for a formula. */
export function toCsvLine(
	values: readonly string[],
	separator: Separator = ",",
): string {
	return `${values.map((value) => toField(value, separator)).join(separator)}\r\n`;
}

function toField(value: string, separator: Separator): string {
	return /["\r\n]/.test(value) || value.includes(separator)
		? `"${value.replaceAll('"', '""')}"`
		: value;
}
