// A JSON Schema as people read it: a type, its rules in words, and its members.
import { listAt, recordAt, textAt, textsAt, toJsonText } from "./values.ts";

export interface Shape {
	/** For example `int64`, `string` or `Pet[]`. */
	readonly type: string;
	/** The schema of the document that the type names. */
	readonly schemaName: string | undefined;
	readonly description: string;
	/** For example "1 to 100" or "default `20`". */
	readonly rules: readonly string[];
	/** What counts if no value is given, as JSON text. */
	readonly default: string | undefined;
	/** The only values that are allowed. */
	readonly values: readonly string[];
	readonly members: readonly Member[];
}

export interface Member extends NamedShape {
	readonly isRequired: boolean;
}

export interface NamedShape {
	readonly name: string;
	readonly shape: Shape;
}

export function readSchemas(document: unknown): readonly NamedShape[] {
	return Object.entries(recordAt(document, "components", "schemas")).map(
		([name, schema]) => ({ name, shape: readShape(document, schema) }),
	);
}

export function readShape(document: unknown, schema: unknown): Shape {
	const parts = listAt(schema, "allOf").map((part) =>
		readShape(document, part),
	);
	const target = readReference(document, schema);
	const bases = target === undefined ? parts : [target, ...parts];
	const [only, another] = bases;
	const isNamed = only !== undefined && another === undefined;
	const fallback = recordAt(schema).default;
	return {
		type: isNamed ? only.type : readType(document, schema),
		schemaName: isNamed ? only.schemaName : readItemName(schema),
		description: textAt(schema, "description") || (only?.description ?? ""),
		rules: [...(isNamed ? only.rules : []), ...readRules(schema)],
		default: fallback === undefined ? only?.default : toJsonText(fallback),
		values: [
			...bases.flatMap(({ values }) => values),
			...listAt(schema, "enum").map(String),
		],
		members: [
			...bases.flatMap(({ members }) => members),
			...readMembers(document, schema),
		],
	};
}

/** What `$ref` names, as a type with that name. */
function readReference(document: unknown, schema: unknown): Shape | undefined {
	const name = toName(textAt(schema, "$ref"));
	if (name === undefined) return undefined;
	const target = recordAt(document, "components", "schemas", name);
	return { ...readShape(document, target), type: name, schemaName: name };
}

function toName(reference: string): string | undefined {
	return /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1];
}

function readType(document: unknown, schema: unknown): string {
	const items = recordAt(schema, "items");
	if (textAt(schema, "type") === "array")
		return `${readShape(document, items).type}[]`;
	const choices = listAt(schema, "oneOf");
	const types =
		choices.length > 0
			? choices.map((choice) => readShape(document, choice).type)
			: [textAt(schema, "type"), ...textsAt(schema, "type")];
	const type = types.filter((one) => one !== "").join(" or ");
	return textAt(schema, "format") || type || "object";
}

function readItemName(schema: unknown): string | undefined {
	return toName(textAt(schema, "items", "$ref"));
}

function readMembers(document: unknown, schema: unknown): readonly Member[] {
	const required = textsAt(schema, "required");
	return Object.entries(recordAt(schema, "properties")).map(
		([name, member]) => ({
			name,
			isRequired: required.includes(name),
			shape: readShape(document, member),
		}),
	);
}

function readRules(schema: unknown): readonly string[] {
	const { minimum, maximum, default: fallback, ...others } = recordAt(schema);
	const pattern = textAt(schema, "pattern");
	const values = [
		...listAt(schema, "enum"),
		...listAt(schema, "items", "enum"),
	].map((value) => `\`${value}\``);
	return [
		...(values.length > 0 ? [`one of ${values.join(", ")}`] : []),
		...("const" in others ? [`only \`${others.const}\``] : []),
		...(others.additionalProperties === false ? ["no other members"] : []),
		...(minimum !== undefined && maximum !== undefined
			? [`${minimum} to ${maximum}`]
			: []),
		...(fallback === undefined ? [] : [`default \`${toJsonText(fallback)}\``]),
		...(pattern === "" ? [] : [`matches \`${pattern}\``]),
	];
}
