// The indented JSON of the reference page: the tokens of the received text, with other white space between them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { indent } from "../../src/web/browser/json-text.ts";
import { property } from "../properties/property.ts";

test("keeps every digit of a number and every escape of a string", () => {
	const text =
		'{"id":9223372036854775807,"n":[-0,1.0,1e400,9007199254740993],"s":"\\u00e9\\"{[,:\\\\","x":[],"y":{ },"z":null}';
	expect(indent(text)).toBe(`{
  "id": 9223372036854775807,
  "n": [
    -0,
    1.0,
    1e400,
    9007199254740993
  ],
  "s": "\\u00e9\\"{[,:\\\\",
  "x": [],
  "y": {},
  "z": null
}`);
});

test("escapes characters that change the direction of text", () => {
	expect(indent('["\u202etxet\u2069"]')).toBe('[\n  "\\u202etxet\\u2069"\n]');
});

property(
	"indents any JSON like JSON.stringify",
	100,
	fc.property(fc.json(), (text) => {
		const value: unknown = JSON.parse(text);
		const compact = JSON.stringify(value);
		expect(indent(compact)).toBe(JSON.stringify(value, null, 2));
	}),
);

test.each(["", "not JSON", "<html>", '{"a":1,}', "  x  "])(
	"leaves text that is not JSON unchanged: %p",
	(text) => {
		expect(indent(text)).toBe(text);
	},
);
