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
	/** From the page to the home page, if its address has not a fixed depth. */
	readonly root?: string;
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

/** What one page has. */
export interface Page {
	readonly title: string;
	/** Of its script, its style, and its link in the bar. */
	readonly name: "home" | "reference" | "console" | "sandbox";
	/** From the page to the home page. */
	readonly root?: string;
	/** For its script. */
	readonly data?: Readonly<Record<string, string | undefined>>;
	/** Before the bar. */
	readonly skip?: Html;
	/** In the bar, instead of the links to the other pages. */
	readonly own?: Html;
	/** At the end of the bar. */
	readonly end?: Html;
	readonly content: Html;
}

/** The addresses are relative to the page, so that they work below a prefix that a proxy removes. */
export function renderPage(
	{ hasConsole, sandbox }: PageOptions,
	addressOf: AddressOf,
	{ title, name, root = "", data = {}, ...page }: Page,
): Html {
	const renderLink = (one: Page["name"], path: string, text: string) =>
		html`<a href="${root}${path}"${one === name && html` aria-current="page"`}>${text}</a>`;
	const links = html`<nav class="pages" aria-label="Pages">
		${renderLink("home", "./", "Home")}
		${renderLink("reference", "docs", "Reference")}
		${hasConsole && renderLink("console", "console", "Console")}
		${sandbox && renderLink("sandbox", "sandbox", "Sandbox")}
	</nav>`;
	const attributes = Object.entries(data).map(
		([key, value]) => value !== undefined && html` data-${key}="${value}"`,
	);
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${addressOf("icon.svg")}">
<script src="${root}${addressOf("theme.js")}"></script>
<link rel="stylesheet" href="${root}${addressOf(`${name}.css`)}">
<script type="module" src="${root}${addressOf(`${name}.js`)}"></script>
</head>
<body${attributes}>
${page.skip}
<header class="bar">
	<a class="brand" href="${root}./">${brand}</a>
	${page.own ?? links}
	${themeMenu}
	${page.end}
</header>
${page.content}
</body>
</html>
`;
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

/** The script of a page makes it work (browser/base.ts). */
export const copyButton = html`<button type="button" class="minor copy">Copy</button>`;

/** Of an input: a browser must not change what a reader types. */
export const asWritten = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;
