// Text in another form: to compare names, for the query of a request, and to print on a terminal.

/**
 * For comparing names without regard to case. In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the same letter. A sigma in lower case depends on
 * its place in a word, and a part of a name has other places.
 */
export function toComparable(text: string): string {
	return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** Whether people read it as a whole number, with or without spaces around it. */
export function isWholeNumber(text: string): boolean {
	return /^\s*[+-]?\d+\s*$/.test(text);
}

/** Escapes characters that could control the terminal, begin a line or reverse the text. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

/** Omits empty parameters. Not URLSearchParams: its `+` for a space is a plus sign for the service. */
export function toQuery(parameters: Readonly<Record<string, unknown>>): string {
	return Object.entries(parameters)
		.filter(([, value]) => value !== undefined && value !== "")
		.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
		.join("&");
}
