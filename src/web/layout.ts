// The frame of every page: its head, its name and what it needs to know of the service.
import type { Interface } from "../contract/operation.ts";
import type { Assets } from "./assets.ts";
import { type Html, html } from "./html.ts";

export interface PageOptions {
	/** The interfaces of the service, in the order in which the reference has them. */
	readonly interfaces: readonly ServedInterface[];
	readonly hasConsole: boolean;
	/** Only in a sandbox. */
	readonly sandbox?: SandboxOptions | undefined;
	/** Where clients reach the service; the address of the page itself if undefined. */
	readonly baseUrl?: string | undefined;
	/** A key that is no secret. Pages fill it in, and snippets use it. */
	readonly exampleKey?: string | undefined;
}

export interface SandboxOptions {
	/** Whether its control paths need the key. */
	readonly needsKey: boolean;
	/** The members of a fault rule, for the form that adds one. */
	readonly ruleFields: readonly object[];
}

export interface ServedInterface {
	readonly described: Interface;
	/** The operations that are served; all if undefined. */
	readonly operationIds?: readonly string[] | undefined;
	/** Where the service serves its OpenAPI document. */
	readonly path: string;
	/** Whom it is for, if not for all clients. The home page shows only those for all. */
	readonly audience?: string;
}

export function renderLayout(options: {
	title: string;
	description: string;
	/** The name of the page's script and style. */
	name: string;
	addressOf: Assets["addressOf"];
	body: Html;
}): Html {
	const { title, description, name, addressOf, body } = options;
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" type="image/svg+xml" href="${addressOf("icon.svg")}">
<link rel="stylesheet" href="${addressOf(`${name}.css`)}">
<script type="module" src="${addressOf(`${name}.js`)}"></script>
</head>
${body}
</html>
`;
}

/** The name of the service, with its sign. */
export const brand = html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><ellipse cx="6.2" cy="10.4" rx="2.3" ry="3"/><ellipse cx="17.8" cy="10.4" rx="2.3" ry="3"/><ellipse cx="9.9" cy="5.4" rx="2.2" ry="3.1"/><ellipse cx="14.1" cy="5.4" rx="2.2" ry="3.1"/><path d="M12 11.4c-3.2 0-6 3.1-6 6 0 2 1.4 3 3 3 1.2 0 2-.5 3-.5s1.8.5 3 .5c1.6 0 3-1 3-3 0-2.9-2.8-6-6-6z"/></svg>petstore`;

/** An address that a script replaces by that of the page, unless the operator has set one. */
export function renderBase({ baseUrl }: PageOptions): Html {
	return baseUrl === undefined
		? html`<span data-base>${shownBase}</span>`
		: html`${baseUrl}`;
}

/** What stands in place of the address of the page until the script has run. */
export const shownBase = "http://127.0.0.1:8080";
