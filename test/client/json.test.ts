// The client reads and writes all digits of a number, also where a reviver gets no source text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseMarked as parse, writeMarked } from "../../src/client/json.ts";
import { parseExactly, toJson } from "../../src/json.ts";
import { anyNumeral } from "../properties/numerals.ts";
import { property } from "../properties/property.ts";

describe("JSON", () => {
	property(
		"reads an int64 in any notation as a bigint, and any other number as a number",
		1_000,
		fc.property(anyNumeral(), ({ text, kind }) => {
			expect(typeof parse(text)).toBe(kind === "int64" ? "bigint" : "number");
			expect(parse(text)).toEqual(parseExactly(text));
		}),
	);

	property(
		"reads and writes JSON as with source texts, and refuses what JSON.parse refuses",
		1_000,
		fc.property(almostJson(), (text) => {
			if (!isJson(text)) {
				expect(() => parse(text)).toThrow(SyntaxError);
				expect(() => parseExactly(text)).toThrow(SyntaxError);
				return;
			}
			const value = parse(text);
			expect(value).toEqual(parseExactly(text));
			expect(writeMarked(value)).toBe(toJson(value));
		}),
	);

	test("reads texts that look like numbers, repeated members and numbers beyond a double as with source texts", () => {
		for (const text of [
			'{"n1":1,"s":"n1"}',
			'["a:1","\\":2", "3" ]',
			'{"1" \n\t:"2","a"\r: 3}',
			'["\\\\",1,"\\\\\\"2",3]',
			'{"__proto__":{"id":9007199254740993}}',
			'{"id":1,"id":2}',
			"[1e400,-1e400,1e-400]",
		])
			expect(parse(text)).toEqual(parseExactly(text));
	});

	test("reads a string of four million characters and a number of a million digits", () => {
		const long = "a\\n1".repeat(1_000_000);
		expect(parse(`["${long}",1]`)).toEqual([long.replaceAll("\\n", "\n"), 1n]);
		expect(parse("9".repeat(1_000_000))).toBe(Number.POSITIVE_INFINITY);
	});
});

/** Some texts have a character changed, and most of those are no JSON. */
function almostJson(): fc.Arbitrary<string> {
	const change = fc.option(
		fc.tuple(fc.nat(), fc.constantFrom(...'"\\,:[]{}-+.eE01n \n')),
		{ freq: 2 },
	);
	return fc.tuple(jsonText(), change).map(([text, changed]) => {
		if (changed === null) return text;
		const [position, character] = changed;
		const at = position % text.length;
		return text.slice(0, at) + character + text.slice(at + 1);
	});
}

/** Objects and strings of fast-check, with numerals in all notations. */
function jsonText(): fc.Arbitrary<string> {
	const numerals = fc.array(anyNumeral(), { minLength: 1 });
	return fc.tuple(fc.json(), numerals).map(([json, [first, ...others]]) => {
		const list = others.map(({ text }) => text).join(" , ");
		return `{"a":${json} , "1e9" :[${list}],"b":\n${first?.text}}`;
	});
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
