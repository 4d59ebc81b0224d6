// Converts a document to OpenAPI 3.0, for tools without 3.1. The versions differ in `info` and in schemas: 3.0 has an older JSON Schema,
// which allows nothing beside `$ref` and has no type `null`.
import { isObject } from "../domain/types/json.ts";

interface Document {
	readonly info: {
		readonly summary: string;
		readonly description: string;
		readonly license: { readonly name: string; readonly identifier: string };
	};
}

export function toVersion30(document: Document): object {
	const { summary, description, license, ...info } = document.info;
	return {
		...mapMembers({ ...document }, withSchemas),
		openapi: "3.0.3",
		info: {
			...info,
			description: `${summary} ${description}`,
			license: {
				name: license.name,
				url: `https://spdx.org/licenses/${license.identifier}.html`,
			},
		},
	};
}

export function mapMembers<Member, Result>(
	object: Readonly<Record<string, Member>>,
	convert: (member: Member, name: string) => Result,
): Record<string, Result> {
	return Object.fromEntries(
		Object.entries(object).map(([name, one]) => [name, convert(one, name)]),
	);
}

function inMembers(
	value: unknown,
	convert: (member: unknown, name: string) => unknown,
): unknown {
	if (Array.isArray(value)) return value.map((member) => convert(member, ""));
	return isObject(value) ? mapMembers(value, convert) : value;
}

/** Converts the schemas in a part of the document. Examples are data and stay unchanged. */
function withSchemas(value: unknown, name: string): unknown {
	if (name === "schema") return toSchema(value);
	if (name === "schemas") return inMembers(value, toSchema);
	return name === "example" ? value : inMembers(value, withSchemas);
}

function toSchema(schema: unknown): unknown {
	if (!isObject(schema)) return schema;
	const { $ref, const: constant, type, oneOf, ...others } = schema;
	const { exclusiveMaximum: bound, ...same } = others;
	const converted = {
		...(type !== undefined && toType(type)),
		...(bound !== undefined && { maximum: bound, exclusiveMaximum: true }),
		...("const" in schema && { enum: [constant] }),
		...mapMembers(same, toKeyword),
		...(Array.isArray(oneOf) && toOneOf(oneOf)),
	};
	if ($ref === undefined) return converted;
	return Object.keys(converted).length === 0
		? { $ref }
		: { allOf: [{ $ref }], ...converted };
}

/** `["string", "null"]` is a nullable string in 3.0. */
function toType(type: unknown): object {
	return Array.isArray(type) ? { type: type[0], nullable: true } : { type };
}

/** So is one of a schema and null. */
function toOneOf(choices: readonly unknown[]): object {
	const others = choices.filter(
		(one) => !(isObject(one) && one.type === "null"),
	);
	const converted = others.map(toSchema);
	return others.length === choices.length
		? { oneOf: converted }
		: { nullable: true, allOf: converted };
}

function toKeyword(value: unknown, keyword: string): unknown {
	if (keyword === "items") return toSchema(value);
	return keyword === "properties" ? inMembers(value, toSchema) : value;
}
