// The types of single values: numbers, texts, times, flags.

import { toSizeText } from "../quantity.ts";
import { readTime, timeRule, toTimeText } from "../time.ts";
import { maxInt64, minInt64 } from "./json.ts";
import {
	type As,
	type ColumnType,
	refuse,
	type Schema,
	type Type,
	withDefault,
	withRule,
} from "./type.ts";

export function int64(
	description: string,
	minimum = minInt64,
): ColumnType<bigint> {
	const schema = {
		format: "int64",
		description,
		...(minimum > minInt64 && { minimum: Number(minimum) }),
	};
	const type = integer(schema, minimum, maxInt64);
	return { ...type, column: "INTEGER", toText: String };
}

/** From 0. It may exceed int64: JSON has no limit for integers. */
export function natural(description: string): Type<bigint> {
	const schema = { minimum: 0, exclusiveMaximum: 1e40, description };
	return integer(schema, 0n, 10n ** 40n - 1n);
}

export function whole(
	description: string,
	minimum = 0,
	maximum = maxInt32,
): Type<number> {
	const schema = { format: "int32", description, minimum, maximum };
	const { read, ...type } = integer(schema, BigInt(minimum), BigInt(maximum));
	return {
		...type,
		read: (json, name, broken) => Number(read(json, name, broken)),
		write: String,
	};
}

const maxInt32 = 2 ** 31 - 1;

function integer(schema: Schema, minimum: bigint, maximum: bigint) {
	const rule = `must be a whole number from ${minimum} to ${maximum}`;
	return {
		schema: { type: "integer", ...schema },
		read: (json: unknown, name: string, broken: string[]) =>
			typeof json === "bigint" && json >= minimum && json <= maximum
				? json
				: refuse<bigint>(broken, name, rule),
		fromText: (given: string) => (numeral.test(given) ? BigInt(given) : given),
		write: String,
	};
}

const numeral = /^(0|-?[1-9]\d{0,39})$/;

/** A number of things or bytes, or an id that is a number: a double is exact enough. */
export function count(description: string, minimum = 0): Type<number> {
	const type = whole(description, minimum, Number.MAX_SAFE_INTEGER);
	return { ...type, schema: { ...type.schema, format: "int64" } };
}

/** A number of bytes. */
export function size(description: string): Type<number> {
	return { ...count(description), toText: toSizeText };
}

/** A number with or without a fraction, for measures. */
export function decimal(
	description: string,
	minimum: number,
	maximum: number,
): As<Type<number>, number | bigint> {
	const rule = `must be a number from ${minimum} to ${maximum}`;
	return {
		schema: { type: "number", description, minimum, maximum },
		read(json, name, broken) {
			const value = typeof json === "bigint" ? Number(json) : json;
			return typeof value === "number" && value >= minimum && value <= maximum
				? value
				: refuse(broken, name, rule);
		},
		fromText: (text) =>
			/^(0|[1-9]\d{0,14})(\.\d{1,9})?$/.test(text) ? Number(text) : text,
		write: String,
	};
}

/** Text of at most `maxLength` code points, without U+0000, which PostgreSQL refuses, and lone surrogates, which UTF-8 lacks. */
export function text(
	description: string,
	maxLength: number,
): ColumnType<string> {
	const tooLong = `must not have more than ${maxLength} characters`;
	return {
		schema: {
			type: "string",
			// \x00, since Go has no \u0000. Lone surrogates are allowed, since not every dialect can exclude them.
			pattern: "^[^\\x00]*$",
			maxLength,
			description,
		},
		column: "TEXT",
		toCheck: (column) => `length(${column}) <= ${maxLength}`,
		read(json, name, broken) {
			if (typeof json !== "string")
				return refuse(broken, name, "must be a string");
			if (json.includes("\0"))
				return refuse(broken, name, "must not contain the character U+0000");
			if (!json.isWellFormed())
				return refuse(broken, name, "must not contain a lone surrogate");
			if (isLonger(json, maxLength)) return refuse(broken, name, tooLong);
			return json;
		},
		...asText,
		write: JSON.stringify,
	};
}

/** In characters, each of which has one or two code units. */
function isLonger(text: string, maxLength: number): boolean {
	return (
		text.length > maxLength &&
		(text.length > 2 * maxLength || [...text].length > maxLength)
	);
}

/** Text outside, another value inside. `toValue` returns undefined for text that breaks the rule, which follows the name of the value. */
export function parsed<Value>(
	description: string,
	toValue: (text: string) => Value | undefined,
	rule: string,
	toText: (value: Value) => string,
	schema: Schema,
): Type<Value> {
	return {
		schema: { type: "string", ...schema, description },
		read: (json, name, broken) =>
			(typeof json === "string" ? toValue(json) : undefined) ??
			refuse(broken, name, rule),
		fromText: asText.fromText,
		write: (value) => JSON.stringify(toText(value)),
	};
}

/** Text of a form, described by a rule such as `must have 1 to 100 characters`. The schema says of it what a schema can. */
export function formed(
	description: string,
	form: Pick<RegExp, "test">,
	rule: string,
	schema: Schema,
): Type<string> {
	const toValue = (text: string) => (form.test(text) ? text : undefined);
	return parsed(description, toValue, rule, String, schema);
}

/** A part of a text of at most `maxLength` characters. One that no text has is no mistake: nothing is found. */
export function partOfText(
	description: string,
	maxLength: number,
): Type<string> {
	const form = { test: (text: string) => !isLonger(text, maxLength) };
	const rule = `must not have more than ${maxLength} characters`;
	return formed(description, form, rule, { maxLength });
}

/** Any text, for replies and for texts that only their user can judge. */
export function anyText(description: string, example?: string): Type<string> {
	return formed(description, /^/, "must be a string", { example });
}

export function oneOf<const Value extends string>(
	description: string,
	values: readonly Value[],
	title?: string,
): ColumnType<Value> {
	const rule = `must be one of ${values.join(", ")}`;
	const known = new Map<unknown, Value>(values.map((value) => [value, value]));
	return {
		schema: {
			...(title !== undefined && { title }),
			type: "string",
			enum: values,
			description,
		},
		column: "TEXT",
		// Not by IN, for which SQLite makes a table in each INSERT.
		toCheck: (column) =>
			values.map((value) => `${column} = '${value}'`).join(" OR "),
		read: (json, name, broken) => known.get(json) ?? refuse(broken, name, rule),
		...asText,
	};
}

/** RFC 3339 outside, milliseconds since 1970 inside. */
export function time(description: string): As<Type<number>, string> {
	return parsed(description, readTime, timeRule, toTimeText, dateTime);
}

const dateTime = { format: "date-time" };

/** The same as a column. */
export function timeColumn(
	description: string,
): As<ColumnType<bigint>, string> {
	const toText = (at: bigint) => toTimeText(Number(at));
	const toValue = (text: string) => {
		const at = readTime(text);
		return at === undefined ? undefined : BigInt(at);
	};
	const type = parsed(description, toValue, timeRule, toText, dateTime);
	return { ...type, column: "INTEGER", toText };
}

export function flag(description: string): Type<boolean> {
	return {
		schema: { type: "boolean", description },
		read: (json, name, broken) =>
			typeof json === "boolean"
				? json
				: refuse(broken, name, "must be true or false"),
		fromText: (text) => (/^(true|false)$/.test(text) ? text === "true" : text),
		write: String,
	};
}

/** False if it is not given. */
export function toSwitch(description: string): Type<boolean> {
	return withDefault(flag(description), false);
}

/** For a member that is either true or absent. */
export function onlyTrue(description: string): Type<boolean> {
	const isTrue = (value: boolean) => value;
	return withRule(flag(description), isTrue, "must be true", { const: true });
}

/** Of values that need no escapes in JSON. */
const asText = {
	fromText: (given: string): unknown => given,
	write: (value: string) => `"${value}"`,
	toText: (value: string) => value,
};
