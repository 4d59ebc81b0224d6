// Comparing names without regard to case.

/**
 * In JavaScript and not in SQL, since SQLite and PostgreSQL differ in what they take for the same letter. A sigma in lower case depends on
 * its place in a word, and a part of a name has other places.
 */
export function toComparable(text: string): string {
	return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}
