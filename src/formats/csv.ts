// CSV by RFC 4180, separated by commas, semicolons or tabs: reads a record of a text, and writes one.
const separators = [",", ";", "\t"] as const;
export type Separator = (typeof separators)[number];

export const csvRule =
	"A field with a quote, the separator or a line end must be in quotes, with each quote doubled.";

/**
 * Gives also the index after its line end. A record that breaks the rule has no fields, and ends with the line of the field that does. One
 * that is longer than `maxLength` ends there.
 */
export function readRecord(
	text: string,
	start: number,
	separator: Separator,
	maxLength: number,
) {
	const field = fieldPatterns[separator];
	const fields: string[] = [];
	for (let at = start; ; at = field.lastIndex) {
		field.lastIndex = at;
		const [, quoted, plain = "", next] = field.exec(text) ?? [];
		if (next === undefined)
			return { fields: undefined, end: toLineEnd(text, at) };
		if (field.lastIndex - start > maxLength)
			return { fields: undefined, end: field.lastIndex };
		fields.push(quoted?.replaceAll('""', '"') ?? plain);
		if (next !== separator) return { fields, end: field.lastIndex };
	}
}

/** A field, and what ends it. */
const fieldPatterns: Readonly<Record<Separator, RegExp>> = {
	",": /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y,
	";": /(?:"([^"]*(?:""[^"]*)*)"|([^";\r\n]*))(;|\r?\n|$)/y,
	"\t": /(?:"([^"]*(?:""[^"]*)*)"|([^"\t\r\n]*))(\t|\r?\n|$)/y,
};

/** The index after the line end. */
export function toLineEnd(text: string, start: number): number {
	return text.indexOf("\n", start) + 1 || text.length;
}

/** A first line that says it, which spreadsheets write. */
export const separatorLine = /^sep=([,;\t])\r?\n/i;

/** The separator that the file says, or that splits the record at an index into the most fields; a comma if none does. */
export function findSeparator(
	text: string,
	start: number,
	maxLength: number,
): Separator {
	const [, said] = separatorLine.exec(text) ?? [];
	const count = (separator: Separator) =>
		readRecord(text, start, separator, maxLength).fields?.length ?? 0;
	const most = separators.reduce((best, other) =>
		count(other) > count(best) ? other : best,
	);
	return separators.find((one) => one === said) ?? most;
}

/** One record with its line end. A value is written exactly, even if a spreadsheet would take it for a formula. */
export function toCsvLine(
	values: readonly string[],
	separator: Separator,
): string {
	const cells = values.map((value) =>
		/["\r\n]/.test(value) || value.includes(separator)
			? `"${value.replaceAll('"', '""')}"`
			: value,
	);
	return `${cells.join(separator)}\r\n`;
}
