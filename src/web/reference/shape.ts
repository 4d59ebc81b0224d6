// A JSON Schema for people: its type, its rules in words and its members; and their HTML.
import type { Schema } from "../../domain/type.ts";
import { type Html, html, type Part, prose } from "../html.ts";

interface Shape {
	/** For example `int64`, `string` or `Pet[]`. */
	readonly type: string;
	/** The name of the schema in the type. */
	readonly schemaName: string | undefined;
	readonly description: string;
	/** For example "1 to 100" or "default `20`". */
	readonly rules: readonly string[];
	/** As JSON text. */
	readonly default: string | undefined;
	readonly values: readonly string[];
	/** Those of an object, or of the items of a list. */
	readonly members: readonly Entry[];
	/** The kinds of object that it can be, if several. */
	readonly choices: readonly Shape[];
}

/** A member of a schema, or a parameter. */
export interface Entry {
	readonly name: string;
	readonly isRequired: boolean;
	readonly description: string;
	readonly shape: Shape;
	/** Of a parameter, for example `query` or `header`. */
	readonly place?: string;
	readonly isAddition?: boolean;
}

export function toShape(schema: Schema): Shape {
	const { title, items, oneOf = [] } = schema;
	const inner = items && toShape(items);
	return {
		type: title ?? toType(schema),
		schemaName: title ?? items?.title,
		description: schema.description ?? "",
		rules: toRules(schema),
		default: JSON.stringify(schema.default),
		values: schema.enum ?? [],
		members: inner?.members ?? toMembers(schema),
		choices:
			inner?.choices ??
			oneOf.map(toShape).filter(({ members }) => members.length > 0),
	};
}

function toType({ type = "object", format, items = {}, oneOf }: Schema) {
	if (type === "array") return `${toShape(items).type}[]`;
	const types = oneOf?.map((choice) => toShape(choice).type) ?? type;
	return format ?? [types].flat().join(" or ");
}

function toMembers({
	properties = {},
	required = [],
}: Schema): readonly Entry[] {
	return Object.entries(properties).map(([name, member]) => {
		const shape = toShape(member);
		const isRequired = required.includes(name);
		return { name, isRequired, description: shape.description, shape };
	});
}

function toRules(schema: Schema): readonly string[] {
	const { minimum, maximum, pattern, items, additionalProperties } = schema;
	const values = schema.enum ?? items?.enum;
	return [
		values && `one of ${values.map((value) => `\`${value}\``).join(", ")}`,
		"const" in schema && `only \`${schema.const}\``,
		additionalProperties === false && "no other members",
		minimum !== undefined &&
			maximum !== undefined &&
			`${minimum} to ${maximum}`,
		"default" in schema && `default \`${JSON.stringify(schema.default)}\``,
		pattern !== undefined && `matches \`${pattern}\``,
	].filter((rule) => typeof rule === "string");
}

export function renderEntries(entries: readonly Entry[], isDeep = true): Part {
	return (
		entries.length > 0 &&
		html`<dl class="members">${entries.map((entry) => renderEntry(entry, isDeep))}</dl>`
	);
}

/** The members of a body, and their members. */
export function renderMembers({ members, choices }: Shape): Part {
	return [
		renderEntries(members),
		...choices.map(
			(choice) => html`<p>${renderType(choice)}</p>${renderMembers(choice)}`,
		),
	];
}

function renderEntry(entry: Entry, isDeep: boolean): Html {
	const { name, isRequired, isAddition, description, shape, place } = entry;
	return html`
	<div><dt><code>${name}</code>${renderType(shape)}${
		place !== undefined && html`<span class="place">${place}</span>`
	}${isRequired && html`<span class="type">required</span>`}${isAddition && additionMark}</dt>
	<dd>${description !== "" && html`<p>${prose(description)}</p>`}${renderRules(shape)}${isDeep && renderMembers(shape)}</dd></div>`;
}

export function renderType({ type, schemaName }: Shape): Html {
	return schemaName === undefined
		? html`<span class="type">${type}</span>`
		: html`<a class="type" href="#schema-${schemaName}">${type}</a>`;
}

/** For a part that is `x-addition` in the OpenAPI document. */
export const additionMark = html`<span class="type">x-addition</span>`;

export function renderRules({ rules }: Shape): Part {
	return (
		rules.length > 0 &&
		html`<ul class="row hint">${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>`
	);
}
