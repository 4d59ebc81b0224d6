// JSON with exact int64 in every runtime: also in Node.js 20 and browsers, which give a reviver no source text.
import * as exact from "../json.ts";

const isExact = "rawJSON" in JSON;

/** A whole number within int64 becomes a bigint, any other a number. Throws if the text is not JSON. */
export function parseExactly(text: string): unknown {
	return isExact ? exact.parseExactly(text) : parseMarked(text);
}

/** JSON.stringify refuses a bigint. */
export function toJson(value: unknown): string {
	return isExact ? exact.toJson(value) : writeMarked(value);
}

/** For values without int64: every number is a double. Throws if the text is not JSON. */
export function parseRounded<Value>(text: string): Value {
	return JSON.parse(text);
}

/**
 * Turns numbers into strings before parsing, so that they keep their digits. All strings then start with a mark: `n` for a number, `s` for
 * a string; member names have none. A first parse refuses invalid text, which marks could make valid.
 */
export function parseMarked(text: string): unknown {
	JSON.parse(text);
	const marked = text.replace(tokens, (token, colon?: string) => {
		if (colon !== undefined) return token;
		return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`;
	});
	return JSON.parse(marked, (_key, value: unknown) => {
		if (typeof value !== "string") return value;
		const rest = value.slice(1);
		return value.startsWith("n") ? (exact.toInt64(rest) ?? Number(rest)) : rest;
	});
}

/** A string, with its colon if it is a member name; or a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

export function writeMarked(value: unknown): string {
	const bigints: string[] = [];
	const text = JSON.stringify(value, (_name, part) =>
		typeof part === "bigint" ? `\0${bigints.push(String(part)) - 1}` : part,
	);
	return text.replace(/"\\u0000(\d+)"/g, (_, index) => bigints[index] ?? "");
}
