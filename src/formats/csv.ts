// CSV by RFC 4180, separated by commas, semicolons or tabs: finds the end of a record, splits it, and writes one.
export const separators = [",", ";", "\t"] as const;
export type Separator = (typeof separators)[number];

/**
 * The index after the line end of the record that begins at `start`; -1 if it is not in this text. A line end between quotes does not end a
 * record. A quote opens only at the beginning of a field.
 */
export function findEnd(
	text: string,
	start: number,
	possible: readonly Separator[],
): number {
	const lineEnd = text.indexOf("\n", start) + 1 || -1;
	// Most records have no quotes.
	const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd);
	if (!line.includes('"')) return lineEnd;
	for (let at = start; ; at++) {
		if (text[at] === '"') {
			at = endOfQuoted(text, at + 1);
			if (at === -1) return -1;
		}
		while (!possible.some((separator) => separator === text[at])) {
			if (at >= text.length) return -1;
			if (text[at++] === "\n") return at;
		}
	}
}

/** The index after the closing quote. A quote at the end may be the first of two, but then the line end is missing too. */
function endOfQuoted(text: string, start: number): number {
	for (let at = start; ; at += 2) {
		at = text.indexOf('"', at);
		if (at === -1) return -1;
		if (text[at + 1] !== '"') return at + 1;
	}
}

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
