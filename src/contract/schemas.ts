// The JSON Schemas of the interfaces.
import type { Type, Schema as TypeSchema } from "../domain/type.ts";

/** A JSON Schema with the keywords that the interfaces use. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly [string, "null"];
	readonly format?: string;
	readonly description?: string;
	readonly default?: unknown;
	readonly const?: unknown;
	readonly enum?: readonly string[];
	readonly oneOf?: readonly Schema[];
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMaximum?: number;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly uniqueItems?: boolean;
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly additionalProperties?: boolean;
	readonly minProperties?: number;
	readonly maxProperties?: number;
}

export const maxPageSize = 100;

export const int64 = { type: "integer", format: "int64" } as const;
export const int32 = { type: "integer", format: "int32" } as const;

const describe =
	<Form extends Schema>(form: Form) =>
	(description: string) => ({ ...form, description });

export const text = describe({ type: "string" });
export const time = describe({ type: "string", format: "date-time" });
export const flag = describe({ type: "boolean" });
/** A member that is either true or absent. */
export const onlyTrue = describe({ type: "boolean", const: true });
export const decimal = describe({ type: "number" });
export const whole32 = describe(int32);
export const whole64 = describe(int64);

export const ref = (name: string, description?: string) => ({
	$ref: `#/components/schemas/${name}`,
	...(description !== undefined && { description }),
});

export const list = (name: string, maxItems: number) => ({
	type: "array",
	maxItems,
	items: ref(name),
});

export function object<Required extends object, Optional extends object>(
	description: string,
	required: Required,
	optional?: Optional,
) {
	return {
		type: "object",
		description,
		required: Object.keys(required),
		properties: { ...required, ...optional },
	};
}

/** For an object that a caller sends: refuses unknown members. */
export function closedObject<
	Required extends Record<string, object>,
	Optional extends Record<string, object>,
>(description: string, required: Required, optional?: Optional) {
	const additionalProperties = false as const;
	return { ...object(description, required, optional), additionalProperties };
}

export function toComponents(
	types: readonly Type[],
): Readonly<Record<string, Schema>> {
	const schemas: Record<string, Schema> = {};
	for (const { schema } of types) toName(schema, schemas);
	return schemas;
}

/** Registers the schema under its title. */
export function toName(
	{ title = "", about, default: _, ...schema }: TypeSchema,
	schemas: Record<string, Schema>,
): string {
	schemas[title] ??= toDocumentSchema(
		{ ...schema, ...(about !== undefined && { description: about }) },
		schemas,
	);
	return title;
}

/** Refers to schemas that have a title. */
export function toDocumentSchema(
	schema: TypeSchema,
	schemas: Record<string, Schema>,
): Schema {
	const { title, about, description = "", ...untitled } = schema;
	if (title !== undefined)
		return {
			...ref(toName(schema, schemas)),
			...(about !== undefined && { description }),
			...("default" in schema && { default: schema.default }),
		};
	const { items, properties, oneOf, ...rest } = untitled;
	const convert = (one: TypeSchema) => toDocumentSchema(one, schemas);
	return {
		...rest,
		...(description !== "" && { description }),
		...(items && { items: convert(items) }),
		...(oneOf && { oneOf: oneOf.map(convert) }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, one]) => [name, convert(one)]),
			),
		}),
	};
}

export const schemas = {
	Error: object("Why a request was refused or failed.", {
		code: text("Machine-readable error code."),
		message: text("Human-readable description."),
		status: whole32("The HTTP status code of the response."),
	}),
} as const;
