// Generates JSON documents that are a NewPet, almost one, or something else, for the validator and for Ajv.
import fc from "fast-check";
import { fields, givenNames } from "../../src/domain/pet/pet.ts";
import type { Schema } from "../../src/domain/types/type.ts";
import { anyNumeral, type Numeral } from "./numerals.ts";

/** A JSON document in two texts: as a client sends it, and with each number replaced by its stand-in for Ajv. */
export interface Document {
	readonly text: string;
	readonly standIn: string;
}

/**
 * Ajv sees only doubles, where 9223372036854775807 is 2^63 and 1.000000000000000005 is 1. For the schema only the kind of a
 * number matters, so each is replaced by a double of the same kind that Ajv judges correctly.
 */
const standIns: Readonly<Record<Numeral["kind"], string>> = {
	int64: "1",
	"beyond int64": "9223372036854775808",
	fraction: "0.5",
};

export function documents(): fc.Arbitrary<Document> {
	return fc.oneof(
		{ weight: 9, arbitrary: petLike() },
		{ weight: 1, arbitrary: anything },
	);
}

type Member = readonly [name: string, value: Document];

/** The members of a NewPet, some of them wrong or missing, among other members that may repeat them. The last one counts. */
function petLike(): fc.Arbitrary<Document> {
	const members = givenNames.map((name) => ({
		...fields[name],
		member: mostly(valuesOf(fields[name].type.schema)).map(
			(value): Member => [name, value],
		),
	}));
	const sometimes = fc.array(
		fc.oneof(...members.map(({ member }) => member), unknownMember),
		{ maxLength: 2 },
	);
	const once = members.map(({ member, isOptional, fallback }) => {
		const freq = isOptional || fallback !== undefined ? 2 : 9;
		return fc.option(member, { freq });
	});
	return fc
		.tuple(sometimes, fc.tuple(...once), sometimes)
		.map(([before, known, after]) =>
			toObject([...before, ...known.filter((one) => one !== null), ...after]),
		);
}

function valuesOf({ type, format, enum: values }: Schema) {
	if (type === "integer") return numbers();
	if (values) return fc.constantFrom(...values).map(toDocument);
	return format === "date" ? days() : strings();
}

/** Some are on no calendar. */
function days(): fc.Arbitrary<Document> {
	const part = (max: number) =>
		fc.integer({ min: 0, max }).map((one) => `${one}`.padStart(2, "0"));
	return fc
		.tuple(part(20), part(99), part(12), part(31))
		.map(([century, year, month, day]) =>
			toDocument(`${century}${year}-${month}-${day}`),
		);
}

function mostly(right: fc.Arbitrary<Document>): fc.Arbitrary<Document> {
	return fc.oneof(
		{ weight: 9, arbitrary: right },
		{ weight: 1, arbitrary: anything },
	);
}

const { anything, unknownMember } = fc.letrec<{
	anything: Document;
	unknownMember: Member;
}>((tie) => ({
	anything: fc.oneof(
		{ depthSize: "small", withCrossShrink: true },
		fc.constantFrom(null, true, false, "1", "").map(toDocument),
		numbers(),
		strings(),
		fc.array(tie("anything"), { maxLength: 3 }).map(toArray),
		fc.array(tie("unknownMember"), { maxLength: 3 }).map(toObject),
	),
	unknownMember: fc.tuple(
		fc.oneof(
			fc.constantFrom("id", "Name", "__proto__", "constructor", "toString", ""),
			fc.string(),
		),
		tie("anything"),
	),
}));

function numbers(): fc.Arbitrary<Document> {
	return anyNumeral().map(({ text, kind }) => ({
		text,
		standIn: standIns[kind],
	}));
}

/** Mostly of whole code points, and sometimes of UTF-16 code units, which gives lone surrogates. */
function strings(): fc.Arbitrary<Document> {
	const codeUnit = fc
		.oneof(fc.constantFrom(0, 0xd83d, 0xde00), fc.nat(0xffff))
		.map((unit) => String.fromCharCode(unit));
	return fc
		.oneof(
			{ weight: 4, arbitrary: fc.string({ unit: "grapheme" }) },
			{ weight: 2, arbitrary: fc.string({ unit: "binary" }) },
			{ weight: 1, arbitrary: fc.string({ unit: codeUnit }) },
		)
		.map(toDocument);
}

function toDocument(value: string | boolean | null): Document {
	const text = JSON.stringify(value);
	return { text, standIn: text };
}

function toArray(items: readonly Document[]): Document {
	return {
		text: `[${items.map(({ text }) => text).join(",")}]`,
		standIn: `[${items.map(({ standIn }) => standIn).join(",")}]`,
	};
}

function toObject(members: readonly Member[]): Document {
	const write = (form: keyof Document) =>
		members.map(([name, value]) => `${JSON.stringify(name)}:${value[form]}`);
	return {
		text: `{${write("text").join(",")}}`,
		standIn: `{${write("standIn").join(",")}}`,
	};
}
