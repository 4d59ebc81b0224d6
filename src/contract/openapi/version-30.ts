// Converts a document to OpenAPI 3.0, for tools without 3.1. The versions differ in `info` and in schemas: 3.0 has an older JSON Schema,
// which allows nothing beside `$ref`.
import { isObject } from "../../domain/unknown.ts";
import { inMembers, inObject } from "./components.ts";

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
		...inObject(document, withSchemas),
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

/** Converts the schemas in a part of the document. Examples are data and stay unchanged. */
function withSchemas(value: unknown, name = ""): unknown {
	if (name === "schema") return toSchema(value);
	if (name === "schemas") return inMembers(value, toSchema);
	return name === "example" ? value : inMembers(value, withSchemas);
}

function toSchema(schema: unknown): unknown {
	if (!isObject(schema)) return schema;
	const { $ref, const: constant, type, ...changed } = schema;
	const { pattern, exclusiveMaximum, ...same } = changed;
	const converted = {
		...(type !== undefined && toType(type)),
		...(isOldPattern(pattern) && { pattern }),
		...(exclusiveMaximum !== undefined && {
			maximum: exclusiveMaximum,
			exclusiveMaximum: true,
		}),
		...("const" in schema && { enum: [constant] }),
		...inObject(same, toKeyword),
	};
	if ($ref === undefined) return converted;
	return Object.keys(converted).length === 0
		? { $ref }
		: { allOf: [{ $ref }], ...converted };
}

/** `["string", "null"]` is a nullable string in 3.0. */
function toType(type: unknown): object {
	if (!Array.isArray(type)) return { type };
	return { type: type[0], nullable: true };
}

/** 3.0 has the regular expressions of ECMAScript 5.1, without `\p{…}`. */
function isOldPattern(pattern: unknown): boolean {
	return typeof pattern === "string" && !/\\p\{/i.test(pattern);
}

function toKeyword(value: unknown, keyword = ""): unknown {
	if (keyword === "items") return toSchema(value);
	return /^(properties|oneOf)$/.test(keyword)
		? inMembers(value, toSchema)
		: value;
}
