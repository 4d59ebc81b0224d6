// The members of a schema, or the parameters of an operation, as a list of names with types and rules.
import { type Html, html, type Part, prose } from "../html.ts";
import type { Parameter } from "./chapter.ts";
import type { Entry, Shape } from "./shape.ts";

type ShownEntry = Entry & Partial<Pick<Parameter, "place" | "isAddition">>;

export function renderEntries(entries: readonly ShownEntry[]): Part {
	return (
		entries.length > 0 &&
		html`<dl class="members">${entries.map(renderEntry)}</dl>`
	);
}

function renderEntry(entry: ShownEntry): Html {
	const { name, isRequired, isAddition, description, shape, place } = entry;
	return html`
	<div><dt><code>${name}</code>${renderType(shape)}${
		place !== undefined && html`<span class="place">${place}</span>`
	}${isRequired && html`<span class="required">required</span>`}${isAddition && additionMark}</dt>
	<dd>${description !== "" && html`<p>${prose(description)}</p>`}${renderRules(shape)}</dd></div>`;
}

/** A type, as a link if the interface has a schema of that name. */
export function renderType({ type, schemaName }: Shape): Html {
	return schemaName === undefined
		? html`<span class="type">${type}</span>`
		: html`<a class="type" href="#schema-${schemaName}">${type}</a>`;
}

/** Marks what has `x-addition` in the OpenAPI document. */
export const additionMark = html`<span class="type">x-addition</span>`;

export function renderRules({ rules }: Shape): Part {
	return (
		rules.length > 0 &&
		html`<ul class="rules">${rules.map((rule) => html`<li>${prose(rule)}</li>`)}</ul>`
	);
}
