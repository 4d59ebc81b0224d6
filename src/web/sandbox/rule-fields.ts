// The fields of the form that adds a rule, from the schemas of its members; and the resulting rule.
import type { Option } from "../console/parts/fields.tsx";
import type { Rule } from "./control.ts";

/** A member of a rule, as the service puts it into the page. */
interface ServedField {
	readonly name: string;
	readonly schema: Schema;
	/** Whether it is part of the fault, and not of the filter. */
	readonly isKind: boolean;
	/** The field that it cannot be combined with. */
	readonly without?: string;
	/** The field that it requires. */
	readonly needs?: string;
	/** The values to choose from, in groups. */
	readonly groups?: readonly ChoiceGroup[];
}

/** A JSON Schema with the keywords that rules use. */
interface Schema {
	readonly description?: string;
	readonly type?: string | readonly string[];
	readonly enum?: readonly string[];
	readonly const?: unknown;
	readonly oneOf?: readonly Schema[];
	readonly minimum?: number;
	readonly maximum?: number;
}

interface ChoiceGroup {
	/** Empty for a single group. */
	readonly label: string;
	readonly options: readonly Option[];
}

/** Shown for a rule without an operation. */
export const anyOperation = "any operation of /v1";

export type Values = Readonly<Record<string, string>>;

export type RuleField = ReturnType<typeof toFields>[number];

export function toFields(json: string) {
	const served: readonly ServedField[] = JSON.parse(json);
	return served.map((field) => ({
		...field,
		description: field.schema.description ?? "",
		/** The values to choose from; undefined if any can be typed. */
		choices: field.groups ?? toGroups(field.schema.enum),
		/** Whether the service can take what was typed. */
		accepts: (typed: string) =>
			typed.trim() === "" || accepts(field.schema, toValue(typed.trim())),
		/** The allowed input, in words. */
		format: toFormat(field.schema),
	}));
}

function toGroups(values: Schema["enum"]): readonly ChoiceGroup[] | undefined {
	const options = values?.map((value) => ({ value, text: value }));
	return options && [{ label: "", options }];
}

/** Checks types and ranges, so that each wrong field can say so. The service checks the rest. */
function accepts(schema: Schema, value: unknown): boolean {
	const { oneOf, type, minimum = 0, maximum = Infinity } = schema;
	if (oneOf !== undefined) return oneOf.some((one) => accepts(one, value));
	if (schema.const !== undefined) return value === schema.const;
	if (value === null) return type?.includes("null") ?? false;
	return (
		typeof value === "number" &&
		(type === "number" || Number.isSafeInteger(value)) &&
		value >= minimum &&
		value <= maximum
	);
}

/** The values of a schema in words, for example `1 or more, or always`. */
function toFormat({
	oneOf,
	type,
	minimum,
	maximum,
	...schema
}: Schema): string {
	if (oneOf !== undefined) return oneOf.map(toFormat).join(", or ");
	if (schema.const !== undefined) return String(schema.const);
	const range =
		maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
			? `${minimum} or more`
			: `${minimum} to ${maximum}`;
	return type?.includes("null") ? `${range}, or null` : range;
}

/** Whether the field is shown. */
export function isOffered({ needs }: RuleField, values: Values): boolean {
	return needs === undefined || isGiven(values, needs);
}

/** A filled-in field that excludes this one. */
export function findOther(
	{ without }: RuleField,
	values: Values,
): string | undefined {
	return without && isGiven(values, without) ? without : undefined;
}

/** Omits empty and hidden fields. */
export function toRule(fields: readonly RuleField[], values: Values): Rule {
	return Object.fromEntries(
		fields
			.filter((field) => isOffered(field, values))
			.filter(({ name }) => isGiven(values, name))
			.map(({ name, choices }) => {
				const typed = values[name]?.trim() ?? "";
				return [name, choices === undefined ? toValue(typed) : typed];
			}),
	);
}

function isGiven(values: Values, name: string): boolean {
	return (values[name] ?? "").trim() !== "";
}

/** Like the header Sandbox-Fault. The service checks the value. */
function toValue(typed: string): unknown {
	if (typed === "null") return null;
	return /^\d*\.?\d+$/.test(typed) ? Number(typed) : typed;
}
