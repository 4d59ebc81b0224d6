// The frame of every page, and the options of all pages.
import type { Interface } from "../interface/operation.ts";
import { versionPrefix } from "../v1/operation.ts";
import type { AddressOf } from "./assets.ts";
import { type Html, html } from "./html.ts";

export interface PageOptions {
	/** Each has a page of the reference. */
	readonly interfaces: readonly Interface[];
	readonly hasConsole: boolean;
	/** As the service was given it. It may have a password, so no page shows it as it is. */
	readonly database: string;
	/** Whether the page is for a browser on this machine. */
	readonly isLocal?: boolean;
	/** Only in a sandbox. */
	readonly sandbox?: SandboxPage | undefined;
	/** The address of the service for clients; the address of the page if undefined. */
	readonly baseUrl?: string | undefined;
	/** The address in the text until the script of the page runs. */
	readonly listenUrl: string;
	/** A public key, for forms and snippets. */
	readonly exampleKey?: string | undefined;
}

interface SandboxPage {
	/** Undefined if the key is secret. */
	readonly shownKey?: string | undefined;
	/** The members of a fault rule, for the form that adds one. */
	readonly ruleFields: readonly object[];
}

/** The page of an interface in the reference. */
export function toPageName({ prefix }: Interface) {
	return prefix === versionPrefix ? "docs" : "docs/operator";
}

export function renderLayout(options: {
	title: string;
	description: string;
	/** The name of the page's script and style. */
	name: string;
	addressOf: AddressOf;
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
<script src="${addressOf("theme.js")}"></script>
<link rel="stylesheet" href="${addressOf(`${name}.css`)}">
<script type="module" src="${addressOf(`${name}.js`)}"></script>
</head>
${body}
</html>
`;
}

/** The bar of every page, with links to the others, or with the navigation of the page itself. `root` is relative to the page. */
export function renderBar(
	{ hasConsole, sandbox }: PageOptions,
	current: "home" | "docs" | "console" | "sandbox",
	{ root = "", own, end }: BarParts = {},
): Html {
	const pages = [
		["home", "./", "Home"],
		["docs", "docs", "Reference"],
		...(hasConsole ? [["console", "console", "Console"]] : []),
		...(sandbox ? [["sandbox", "sandbox", "Sandbox"]] : []),
	];
	return html`<header class="bar">
	<a class="brand" href="${root}./">${brand}</a>
	${
		own ??
		html`<nav class="pages" aria-label="Pages">${pages.map(
			([name, path, title]) =>
				html`<a href="${root}${path}"${name === current && html` aria-current="page"`}>${title}</a>`,
		)}</nav>`
	}
	${themeMenu}
	${end}
</header>`;
}

/** What only one page has in its bar. */
interface BarParts {
	readonly root?: string;
	/** Instead of the links. The sign still leads home. */
	readonly own?: Html;
	readonly end?: Html;
}

const brand = html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><ellipse cx="6.2" cy="10.4" rx="2.3" ry="3"/><ellipse cx="17.8" cy="10.4" rx="2.3" ry="3"/><ellipse cx="9.9" cy="5.4" rx="2.2" ry="3.1"/><ellipse cx="14.1" cy="5.4" rx="2.2" ry="3.1"/><path d="M12 11.4c-3.2 0-6 3.1-6 6 0 2 1.4 3 3 3 1.2 0 2-.5 3-.5s1.8.5 3 .5c1.6 0 3-1 3-3 0-2.9-2.8-6-6-6z"/></svg>petstore`;

/** An empty value follows the system. */
const themeMenu = html`<label class="theme" title="Colours"><select aria-label="Colours"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>`;

/** The address that the operator has set, or a placeholder that a script replaces by the page's. */
export function renderBase({ baseUrl, listenUrl }: PageOptions): Html {
	return baseUrl === undefined
		? html`<span data-base>${listenUrl}</span>`
		: html`${baseUrl}`;
}
