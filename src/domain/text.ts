// Text in another form: to compare names, for the query of a request, and to print on a terminal.

/**
 * For comparing names without regard to case. In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the
 * same letter. A sigma in lower case depends on its place in a word, and a part of a name has other places.
 */
export function toComparable(text: string): string {
	return normalize(text).toLowerCase().replaceAll("ς", "σ");
}

/**
 * NFC, which sorts the marks of a letter in the square of their number. A longer run of marks is normalized in pieces, as in the
 * stream-safe format of UAX #15.
 */
function normalize(text: string): string {
	if (text.length <= maxMarks || !longRun.test(text))
		return text.normalize("NFC");
	const pieces = text.match(piece) ?? [];
	return pieces.map((one) => one.normalize("NFC")).join("");
}

const maxMarks = 30;
const longRun = /\p{M}{31}/u;
const piece = /\P{M}*\p{M}{0,30}/gu;

/** Whether people read it as a whole number, with or without spaces around it. */
export function isWholeNumber(text: string): boolean {
	return wholeNumber.test(text);
}

export const wholeNumber = /^\s*[+-]?\d+\s*$/;

/** Whether any character is visible. A name can be any text, even empty. */
export function isVisible(name: string): boolean {
	return /[^\s\p{C}\p{DI}\u2800]/u.test(name);
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
