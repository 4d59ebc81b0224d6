// The members of a schema, and the parameters of an operation, as a list of names with types and rules.
import { type Html, html, type Part } from "../html.ts";
import type { Parameter } from "../openapi/operations.ts";
import type { Member, Shape } from "../openapi/schemas.ts";
import { prose } from "./prose.ts";

export function renderMembers(members: readonly Member[]): Part {
	return renderList(
		members.map(({ name, isRequired, shape }) => ({
			...{ name, isRequired, shape },
			description: shape.description,
		})),
	);
}

export function renderParameters(parameters: readonly Parameter[]): Part {
	return renderList(parameters);
}

/** A type, as a link if the document has a schema of that name. */
export function renderType({ type, schemaName }: Shape): Html {
	return schemaName === undefined
		? html`<span class="type">${type}</span>`
		: html`<a class="type" href="#schema-${schemaName}">${type}</a>`;
}

/** Marks what has `x-addition` in the document. */
export const additionMark = html`<span class="type">x-addition</span>`;

interface Entry {
	readonly name: string;
	readonly isRequired: boolean;
	readonly description: string;
	readonly shape: Shape;
	/** Of a parameter: path, query or header. */
	readonly place?: string;
	readonly isAddition?: boolean;
}

function renderList(entries: readonly Entry[]): Part {
	return (
		entries.length > 0 &&
		html`<dl class="members">${entries.map(renderEntry)}</dl>`
	);
}

function renderEntry(entry: Entry): Html {
	const { name, isRequired, isAddition, description, shape, place } = entry;
	return html`
	<div><dt><code>${name}</code>${renderType(shape)}${
		place !== undefined && html`<span class="place">${place}</span>`
	}${isRequired && html`<span class="required">required</span>`}${isAddition && additionMark}</dt>
	<dd>${description !== "" && html`<p>${prose(description)}</p>`}${renderRules(shape)}</dd></div>`;
}

export function renderRules({ rules }: Shape): Part {
	return (
		rules.length > 0 &&
		html`<ul class="rules">${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>`
	);
}
