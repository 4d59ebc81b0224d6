// A JSON Schema for people: its type, its rules in words and its members.
import type { Schema } from "../../domain/types/type.ts";
import { type Html, html, type Part, prose } from "../html.ts";

/** A member of a schema, or a parameter. */
interface Entry {
	readonly name: string;
	readonly required?: boolean;
	readonly description: string;
	readonly schema: Schema;
	/** Of a parameter, for example `query` or `header`. */
	readonly in?: string;
	readonly isAddition?: boolean;
}

/** For example `int64`, `string` or `Pet[]`. */
export function renderType(schema: Schema): Html {
	return html`<span class="type">${toType(schema)}</span>`;
}

function toType(schema: Schema): string {
	const { title, type = "object", format, items, oneOf } = schema;
	if (title !== undefined) return title;
	if (items !== undefined) return `${toType(items)}[]`;
	return format ?? [oneOf?.map(toType) ?? type].flat().join(" or ");
}

/** The members of an object, of the items of a list, or of each choice; and the members of these. */
export function renderMembers({ items, ...schema }: Schema): Part {
	if (items !== undefined) return renderMembers(items);
	const choices = schema.oneOf?.filter(({ properties }) => properties) ?? [];
	return [
		renderEntries(toEntries(schema)),
		...choices.map(
			(choice) =>
				html`<p>${renderType(choice)}</p>${renderRules(choice)}${renderMembers(choice)}`,
		),
	];
}

function toEntries({ properties = {}, required = [] }: Schema) {
	return Object.entries(properties).map(([name, schema]) => ({
		...{ name, schema },
		required: required.includes(name),
		description: schema.description ?? "",
	}));
}

export function renderEntries(entries: readonly Entry[]): Part {
	return (
		entries.length > 0 &&
		html`<dl class="members">${entries.map(renderEntry)}</dl>`
	);
}

function renderEntry(entry: Entry): Html {
	const { name, description, schema, in: place } = entry;
	return html`
	<div><dt><code>${name}</code>${renderType(schema)}${
		place !== undefined && html`<span class="place">${place}</span>`
	}${entry.required && html`<span class="type">required</span>`}${entry.isAddition && additionMark}</dt>
	<dd>${description !== "" && html`<p>${prose(description)}</p>`}${renderRules(schema)}${renderMembers(schema)}</dd></div>`;
}

/** For a part that is `x-addition` in the OpenAPI document. */
export const additionMark = html`<span class="type">x-addition</span>`;

/** For example "1 to 100" or "default `20`". */
function renderRules(schema: Schema): Part {
	const { minimum, maximum, pattern, items, additionalProperties } = schema;
	const values = schema.enum ?? items?.enum;
	const rules = [
		values && `one of ${values.map((value) => `\`${value}\``).join(", ")}`,
		"const" in schema && `only \`${schema.const}\``,
		additionalProperties === false && "no other members",
		minimum !== undefined &&
			maximum !== undefined &&
			`${minimum} to ${maximum}`,
		"default" in schema && `default \`${JSON.stringify(schema.default)}\``,
		pattern !== undefined && `matches \`${pattern}\``,
	].filter((rule) => typeof rule === "string");
	return (
		rules.length > 0 &&
		html`<ul class="row hint">${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>`
	);
}
