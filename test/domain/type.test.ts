// Each kind of type: what `write` gives, `read` takes back, from JSON and from text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	durationRule,
	readDuration,
	toDurationText,
} from "../../src/domain/time.ts";
import { maxInt64, minInt64, parseText } from "../../src/domain/types/json.ts";
import {
	choice,
	closedObject,
	list,
	object,
} from "../../src/domain/types/object.ts";
import {
	anyText,
	decimal,
	flag,
	formed,
	int64,
	natural,
	oneOf,
	onlyTrue,
	parsed,
	text,
	time,
	timeColumn,
	whole,
} from "../../src/domain/types/scalar.ts";
import {
	either,
	nullable,
	optional,
	readText,
	type Type,
	withDefault,
} from "../../src/domain/types/type.ts";

const int64s = fc.oneof(
	fc.bigInt(minInt64, maxInt64),
	fc.constantFrom(minInt64, maxInt64, 0n, 2n ** 53n + 1n),
);
const texts = fc
	.string({ unit: "grapheme", maxLength: 20 })
	.filter((value) => !value.includes("\0"));
const times = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const colours = ["red", "green"] as const;

const isColour = (value: unknown) => colours.some((one) => one === value);
const change = choice("Change", "What to do.", {
	set: closedObject("Setting", "A new value.", { set: int64("The value.") }),
	remove: closedObject("Removal", "No value.", { remove: onlyTrue("Yes.") }),
});

const kinds: Readonly<Record<string, [Type, fc.Arbitrary<unknown>]>> = {
	int64: [int64("A number."), int64s],
	natural: [natural("A number."), fc.bigInt(0n, maxInt64)],
	whole: [whole("A number.", -5, 5), fc.integer({ min: -5, max: 5 })],
	decimal: [decimal("A measure.", 0, 1), fc.constantFrom(0, 0.25, 0.5, 1)],
	text: [text("A name.", 255), texts],
	formed: [
		formed("A word.", /^[a-z"]+$/, "must be a word", {}),
		fc.constantFrom("a", 'a"b'),
	],
	parsed: [
		parsed("Milliseconds.", readDuration, durationRule, toDurationText, {}),
		fc.constantFrom(0, 1_000, 90_000, 7_200_000, 400 * 86_400_000),
	],
	anyText: [anyText("A text."), texts],
	oneOf: [oneOf("A colour.", colours), fc.constantFrom(...colours)],
	time: [time("A time."), times],
	timeColumn: [timeColumn("A time."), times.map(BigInt)],
	flag: [flag("Whether."), fc.boolean()],
	onlyTrue: [onlyTrue("Always."), fc.constant(true)],
	nullable: [nullable(int64("A number.")), fc.option(int64s)],
	either: [
		either(int64("A number."), oneOf("", colours), isColour, "a colour"),
		fc.oneof(int64s, fc.constantFrom(...colours)),
	],
	list: [
		list(int64("A number."), 3),
		fc.array(int64s, { minLength: 1, maxLength: 3 }),
	],
	object: [
		object("Point", "A point.", {
			x: int64("X."),
			label: optional(text("Its label.", 20)),
			inner: optional(object("Inner", "More.", { y: int64("Y.") })),
		}),
		fc.record({
			x: int64s,
			label: fc.option(texts, { nil: undefined }),
			inner: fc.option(fc.record({ y: int64s }), { nil: undefined }),
		}),
	],
	choice: [
		change,
		fc.oneof(fc.record({ set: int64s }), fc.constant({ remove: true })),
	],
};

describe.each(Object.entries(kinds))("%s", (_kind, [type, values]) => {
	test("reads back what it writes", () => {
		fc.assert(
			fc.property(values, (value) => {
				const broken: string[] = [];
				const json = parseText(type.write(value), 20);
				expect(type.read(json, "value", broken)).toEqual(value);
				expect(broken).toEqual([]);
			}),
		);
	});

	test("reads back its text", () => {
		fc.assert(
			fc.property(values, (value) => {
				const written = type.write(value);
				const isString = written.startsWith('"');
				const given =
					value === null
						? ""
						: isString
							? String(parseText(written, 1))
							: written.replace(/^\[(.*)\]$/, "$1");
				expect(readText(type, given, "value")).toEqual({ value, broken: [] });
			}),
		);
	});
});

describe("refuses with a sentence that names the value and the rule", () => {
	test.each<[Type, unknown, RegExp]>([
		[int64("", 1n), 0n, /^value must be a whole number from 1 /],
		[int64(""), 1.5, /^value must be a whole number/],
		[int64(""), 2n ** 63n, /^value must be a whole number/],
		[whole("", 1, 100), 101n, /^value .* from 1 to 100\.$/],
		[decimal("", 0, 1), 1.5, /^value must be a number from 0 to 1\.$/],
		[text("", 255), "x".repeat(256), /^value .* 255 characters\.$/],
		[text("", 255), "\0", /^value .*U\+0000/],
		[text("", 255), "\ud800", /^value .*surrogate/],
		[text("", 255), 1n, /^value must be a string\.$/],
		[oneOf("", colours), "blue", /^value must be one of red, green\.$/],
		[oneOf("", ["constructor"]), "toString", /^value must be one of/],
		[time(""), "2023-02-28", /^value must be a time/],
		[timeColumn(""), "now", /^value must be a time/],
		[
			parsed("", readDuration, durationRule, toDurationText, {}),
			"9 s",
			/^value must be a duration/,
		],
		[flag(""), "true", /^value must be true or false\.$/],
		[nullable(flag("")), 1n, /^value must be true or false, or null\.$/],
		[either(flag(""), oneOf("", colours), isColour, "red"), 1n, /, or red\.$/],
		[list(flag(""), 1), [true, false], /^value must be a list of 0 to 1 /],
		[list(flag(""), 3), [1n, true, 1n], /^value\[0\] [^[]*$/],
		[change, { set: 1n, remove: true }, /^value must have either /],
		[change, { sett: 1n }, /^value must have either /],
		[change, { remove: false }, /^value\.remove must be true\.$/],
		[list(flag(""), 1), [1n], /^value\[0\] must be true or false\.$/],
	])("%#", (type, json, sentence) => {
		const broken: string[] = [];
		type.read(json, "value", broken);
		expect(broken.join(" ")).toMatch(sentence);
	});

	test("counts characters, not code units", () => {
		const broken: string[] = [];
		text("", 255).read("🐕".repeat(255), "value", broken);
		expect(broken).toEqual([]);
		text("", 255).read("🐕".repeat(256), "value", broken);
		expect(broken).toHaveLength(1);
	});
});

describe("an object", () => {
	const pet = closedObject("Pet", "An animal.", {
		name: text("Its name.", 255),
		legs: withDefault(whole("Its legs."), 4),
		owner: optional(anyText("Its owner.")),
	});
	const read = (json: unknown, type: Type = pet) => {
		const broken: string[] = [];
		const value = type.read(json, "", broken);
		return broken.length > 0 ? broken : value;
	};

	test("gives absent members their default, or none", () => {
		expect(read({ name: "Rex" })).toEqual({ name: "Rex", legs: 4 });
		expect(pet.write({ name: "Rex", legs: 4, owner: undefined })).toBe(
			'{"name":"Rex","legs":4}',
		);
	});

	test("names every broken rule", () => {
		expect(read({ name: 1n, legs: "4" })).toEqual([
			expect.stringContaining("name "),
			expect.stringContaining("legs "),
		]);
		expect(read({})).toEqual(["name is required."]);
		expect(read([])).toEqual(["The body must be a JSON object."]);
	});

	test("refuses unknown members, unless it is open", () => {
		expect(read({ name: "Rex", leg: 3n })).toEqual([
			"leg is unknown; the known ones are name, legs, owner.",
		]);
		// It may be a key in the wrong place.
		const secret = { name: "Rex", pet_0123456789abcdefghijklmnop: 1n };
		expect(String(read(secret))).not.toContain("pet_0");
		expect(read({ name: "Rex", toString: 1n })).toHaveLength(1);
		const open = object("Pet", "", { name: text("", 9) });
		expect(read({ name: "Rex", leg: 3n }, open)).toEqual({ name: "Rex" });
	});

	test("describes itself as a closed JSON Schema", () => {
		expect(pet.schema).toMatchObject({
			title: "Pet",
			required: ["name"],
			properties: { legs: { type: "integer", default: 4 } },
			additionalProperties: false,
		});
	});
});

test("a type with a title keeps its null: its schema is a reference, which says nothing of it", () => {
	const colour = oneOf("A colour.", colours, "Colour");
	expect(nullable(colour).schema).toEqual({
		description: "A colour.",
		oneOf: [colour.schema, { type: "null" }],
	});
});
