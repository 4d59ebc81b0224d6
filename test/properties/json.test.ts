// The service returns numbers with every digit and strings with every code point, however the JSON text writes them.
import { describe, expect } from "bun:test";
import fc from "fast-check";
import { maxJsonDepth, parseJson } from "../../src/domain/types/json.ts";
import { parseExactly } from "../../src/json.ts";
import { add, idOf, onEachService } from "../service.ts";
import { int64Numeral } from "./numerals.ts";
import { property } from "./property.ts";

onEachService((service) => {
	const addAndGet = async (body: string) => {
		const pet = await add(service(), body);
		const got = await service().call(`/v1/pets/${idOf(pet)}`);
		expect(await got.text()).toBe(pet);
		return pet;
	};

	property(
		"returns an int64 in any JSON notation in plain digits",
		200,
		fc.asyncProperty(int64Numeral(), async ({ text, value }) => {
			const pet = await addAndGet(`{"name":"x","categoryId":${text}}`);
			expect(pet).toContain(`,"categoryId":${value},`);
		}),
	);

	property(
		"returns a name with any JSON escapes with the same code points",
		200,
		fc.asyncProperty(spelledName(), async ({ text, name }) => {
			const pet = await addAndGet(`{"categoryId":1,"name":${text}}`);
			expect(JSON.parse(pet).name).toBe(name);
		}),
	);
});

describe("the JSON parser", () => {
	property(
		"parses a text to the same value with and without a reviver",
		2_000,
		fc.property(jsonText(), (text) => {
			expect(parseJson(Buffer.from(text), maxJsonDepth)).toEqual(
				parseExactly(text),
			);
		}),
	);
});

/** Many of the texts have only short integers, so they are parsed without a reviver. */
function jsonText(): fc.Arbitrary<string> {
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 3, withCrossShrink: true },
			fc.integer().map(String),
			int64Numeral().map(({ text }) => text),
			fc.string().map((text) => JSON.stringify(text)),
			fc.constantFrom("null", "true", "-0", "0", "[]", "{}"),
			fc.array(tie("value")).map((items) => `[${items.join()}]`),
			fc
				.array(fc.tuple(fc.string(), tie("value")))
				.map((members) => `{${members.map(toMember).join()}}`),
		),
	}));
	return value.map(String);
}

function toMember([name, value]: [string, unknown]): string {
	return `${JSON.stringify(name)}:${value}`;
}

/** A valid name, and a JSON string with this value. */
function spelledName(): fc.Arbitrary<{ text: string; name: string }> {
	const character = fc.oneof(
		fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
		fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
	);
	return fc
		.array(
			fc
				.tuple(
					character.filter((one) => one !== "\0"),
					fc.constantFrom(asIs, escaped, escapedInCapitals),
				)
				.map(([one, spell]) => ({ text: spell(one), name: one })),
			{ maxLength: 40 },
		)
		.map((parts) => ({
			text: `"${parts.map(({ text }) => text).join("")}"`,
			name: parts.map(({ name }) => name).join(""),
		}));
}

/** Escapes only quotes, backslashes, control characters and lone surrogates. */
function asIs(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
	return Array.from({ length: text.length }, (_, index) =>
		text.charCodeAt(index).toString(16).padStart(4, "0"),
	)
		.map((digits) => `\\u${digits}`)
		.join("");
}

function escapedInCapitals(text: string): string {
	return escaped(text).replace(/[a-f]/g, (digit) => digit.toUpperCase());
}
