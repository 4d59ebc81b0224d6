// Explains why and where `parseJson` refused a body or a line of a file. It quotes nothing, since the text may be secret.

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

/** The decoder replaces invalid bytes by this. Valid text may contain it too. */
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

/** The index of the first character that JSON cannot have there; the length if the text ends too early; undefined if it is JSON. */
export function findJsonError(text: string): number | undefined {
	const closers: string[] = [];
	let expected: Expected = "value";
	for (let at = 0; ; ) {
		at = endOf(whitespace, text, at);
		const char = text[at] ?? "";
		const closer = closers.at(-1);
		const isEnd = expected === "end of value";
		if (isEnd && closer === undefined) return char === "" ? undefined : at;
		if (char === closer && (isEnd || expected.startsWith("first"))) {
			closers.pop();
			expected = "end of value";
		} else if (isEnd) {
			if (char !== ",") return at;
			expected = closer === "}" ? "name" : "value";
		} else if (expected === "colon") {
			if (char !== ":") return at;
			expected = "value";
		} else if (expected.endsWith("value") && (char === "[" || char === "{")) {
			closers.push(char === "[" ? "]" : "}");
			expected = char === "[" ? "first value" : "first name";
		} else {
			const isName = expected.endsWith("name");
			const token = scanToken(text, at, isName);
			if (!token.isWhole) return token.end;
			expected = isName ? "colon" : "end of value";
			at = token.end;
			continue;
		}
		at++;
	}
}

/** "first": directly after the opening bracket, where the closing one may come too. */
type Expected =
	| `${"" | "first "}${"value" | "name"}`
	| "colon"
	| "end of value";

/** `end` is where the token ends, or where it stops being one. */
interface Token {
	readonly end: number;
	readonly isWhole: boolean;
}

function scanToken(text: string, start: number, isName: boolean): Token {
	const char = text[start] ?? "";
	if (char === '"') return scanString(text, start + 1);
	if (isName) return { end: start, isWhole: false };
	if (/[-\d]/.test(char)) return scanNumber(text, start);
	const end = endOf(wholeWord, text, start);
	return end > start
		? { end, isWhole: true }
		: { end: endOf(partOfWord, text, start), isWhole: false };
}

function scanString(text: string, start: number): Token {
	let at = start;
	for (;;) {
		at = endOf(plainCharacters, text, at);
		if (text[at] === '"') return { end: at + 1, isWhole: true };
		const end = endOf(wholeEscape, text, at);
		if (end === at)
			return { end: endOf(partOfEscape, text, at), isWhole: false };
		at = end;
	}
}

function scanNumber(text: string, start: number): Token {
	const end = endOf(partOfNumber, text, start);
	return { end, isWhole: /\d$/.test(text.slice(end - 1, end)) };
}

/** Where the longest match that begins at `start` ends. */
function endOf(pattern: RegExp, text: string, start: number): number {
	pattern.lastIndex = start;
	return pattern.test(text) ? pattern.lastIndex : start;
}

const whitespace = /[ \t\n\r]*/y;
const wholeWord = /true|false|null/y;
const partOfWord = /t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string must not contain them.
const plainCharacters = /[^"\\\u0000-\u001f]*/y;
const wholeEscape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const partOfEscape = /\\(?:u[\da-fA-F]{0,3})?/y;
/** A number, or the beginning of one. Only a complete number ends with a digit. */
const partOfNumber =
	/-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][-+]?\d*)?)?|[eE][-+]?\d*)?)?/y;
