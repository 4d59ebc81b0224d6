// Says why `parseJson` has refused a body or a line of a file, and where. The sentence has no part of the text, which may be secret.
import { findJsonError } from "./json-scan.ts";

export function toJsonProblem(
	bytes: Uint8Array,
	maxDepth: number,
	subject: "body" | "line" = "body",
): string {
	const byte = findUtf8Error(bytes);
	if (byte < bytes.length)
		return `The ${subject} must be JSON text in UTF-8; byte ${byte + 1} is not part of a UTF-8 character.`;
	const text = decoder.decode(bytes);
	const index = findJsonError(text);
	if (index === undefined)
		return `The ${subject} must be JSON text that is nested no deeper than ${maxDepth} levels.`;
	const problem =
		index < text.length ? "stops being JSON at" : "ends too early, at";
	const place = toPlace(text, index, subject === "line");
	return `The ${subject} must be JSON text; it ${problem} ${place}.`;
}

/** As text editors count: both from 1, lines by their LF, columns in code points. */
function toPlace(text: string, index: number, isLine: boolean): string {
	const lines = text.slice(0, index).split("\n");
	const column = [...(lines.at(-1) ?? "")].length + 1;
	return isLine ? `column ${column}` : `line ${lines.length}, column ${column}`;
}

/** The index of the first byte that is not UTF-8; the number of bytes if all are. */
export function findUtf8Error(bytes: Uint8Array): number {
	let index = 0;
	for (const char of keepingMark.decode(bytes)) {
		if (char === replacement && !isReplacement(bytes, index)) break;
		index += Buffer.byteLength(char);
	}
	return index;
}

/** The decoder puts this in place of bytes that are not UTF-8. It may also be in the text itself. */
const replacement = "\ufffd";
const replacementBytes = Buffer.from(replacement);

function isReplacement(bytes: Uint8Array, index: number): boolean {
	return replacementBytes.every(
		(byte, offset) => bytes[index + offset] === byte,
	);
}

/** Drops one leading byte order mark, as `parseJson` does. */
const decoder = new TextDecoder();
const keepingMark = new TextDecoder("utf-8", { ignoreBOM: true });
