// Text that may be printed on a terminal.

/** Escapes characters that could control the terminal, begin a line or reverse the text. */
export function toPrintable(text: string): string {
	return text.replace(
		/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
		(character) =>
			`\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
