// Text in another form: to compare names, and to print on a terminal.

/**
 * For comparing names without regard to case. In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the same letter. A sigma in lower case depends on
 * its place in a word, and a part of a name has other places.
 */
export function toComparable(text: string): string {
	return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** Escapes characters that could control the terminal, begin a line or reverse the text. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
