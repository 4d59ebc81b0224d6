// The fields of the form that adds a rule, made from the schemas of its members, and the rule that they give.
import { flag, list, object, text, toMembers } from "../console/api/values.ts";
import type { Option } from "../console/parts/fields.tsx";
import type { Rule } from "./control.ts";

export interface RuleField {
	readonly name: string;
	/** Whether it says what happens, and not to which requests. */
	readonly isKind: boolean;
	readonly description: string;
	/** The values to choose from; undefined if any can be typed. */
	readonly choices: readonly ChoiceGroup[] | undefined;
	/** Whether the service can take what was typed. */
	readonly accepts: (typed: string) => boolean;
	/** What can be typed. */
	readonly format: string;
	/** The fields that it cannot be used together with. */
	readonly without: readonly string[];
	/** The field that it only makes sense with. */
	readonly needs: string | undefined;
	/** The only operation that it is for. */
	readonly operation: string | undefined;
}

export interface ChoiceGroup {
	/** Empty if there is only one. */
	readonly label: string;
	readonly options: readonly Option[];
}

/** What a rule without an operation is for. */
export const anyOperation = "any operation of /v1";

export type Values = Readonly<Record<string, string>>;

/** Takes what the service has put into the page. */
export function toFields(json: string): readonly RuleField[] {
	return list(toField)(JSON.parse(json), "fields");
}

function toField(value: unknown): RuleField {
	const {
		name,
		schema,
		isKind,
		without = [],
		needs,
		only,
		groups,
	} = toMembers(value);
	const { description = "", enum: choices } = toMembers(schema);
	return {
		name: text(name, "name"),
		isKind: flag(isKind),
		description: text(description, "description"),
		choices:
			groups !== undefined
				? list(toGroup)(groups, "groups")
				: choices !== undefined
					? [toPlainGroup(list(text)(choices, "enum"))]
					: undefined,
		accepts: (typed) =>
			typed.trim() === "" || accepts(schema, toValue(typed.trim())),
		format: toFormat(schema),
		without: list(text)(without, "without"),
		needs: needs === undefined ? undefined : text(needs, "needs"),
		operation: only === undefined ? undefined : toOnly(only).operation,
	};
}

const toOnly = object({ operation: text });

const toGroup = object({
	label: text,
	options: list(object({ value: text, text })),
});

function toPlainGroup(choices: readonly string[]): ChoiceGroup {
	return {
		label: "",
		options: choices.map((value) => ({ value, text: value })),
	};
}

/** Checks types and ranges, so that each wrong field can say so. The service checks the rest. */
function accepts(given: unknown, value: unknown): boolean {
	const {
		oneOf,
		const: only,
		type,
		items,
		minimum,
		maximum,
	} = toMembers(given);
	if (Array.isArray(oneOf)) return oneOf.some((one) => accepts(one, value));
	if (only !== undefined) return value === only;
	if (value === null) return [type].flat().includes("null");
	if (Array.isArray(value))
		return type === "array" && value.every((one) => accepts(items, one));
	return (
		typeof value === "number" &&
		(type === "number" || Number.isSafeInteger(value)) &&
		value >= Number(minimum) &&
		value <= Number(maximum ?? value)
	);
}

/** The values of a schema in words, for example `0 to 60000, or least-most`. */
function toFormat(value: unknown): string {
	const schema = toMembers(value);
	if (Array.isArray(schema.oneOf))
		return schema.oneOf.map(toFormat).join(", or ");
	if (schema.const !== undefined) return String(schema.const);
	const types = [schema.type].flat();
	if (types.includes("array")) return "least-most";
	const { minimum, maximum } = schema;
	const range =
		maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
	return [
		...(minimum === undefined ? [] : [range]),
		...(types.includes("null") ? ["null"] : []),
	].join(", or ");
}

/** Whether the field is shown. */
export function isOffered(
	{ needs, operation }: RuleField,
	values: Values,
): boolean {
	return (
		(needs === undefined || isGiven(values, needs)) &&
		(operation === undefined || operation === values.operation)
	);
}

/** The field with a value that excludes this one. */
export function findOther(
	{ without }: RuleField,
	values: Values,
): string | undefined {
	return without.find((name) => isGiven(values, name));
}

/** Without fields that are empty or not shown. */
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

/** As the header Sandbox-Fault reads it. The service checks the value. */
function toValue(typed: string): unknown {
	if (typed === "null") return null;
	if (/^\d*\.?\d+$/.test(typed)) return Number(typed);
	return /^\d+-\d+$/.test(typed) ? typed.split("-").map(Number) : typed;
}
