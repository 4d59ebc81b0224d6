// The navigation of the reference: its pages, and the sections of this page.

import type { Interface } from "../../interface/operation.ts";
import { type Html, html, type Part } from "../html.ts";
import { toPageName } from "../layout.ts";
import type { Chapter } from "./chapter.ts";

/** The script follows the reader (browser/contents.ts). On a narrow screen a button opens it as a menu. */
export function renderContents(
	interfaces: readonly Interface[],
	{ prefix, operations }: Chapter,
	root: string,
): Html {
	const pages = interfaces.map(
		(one) =>
			html`<li><a href="${root}${toPageName(one)}"${one.prefix === prefix && html` aria-current="page"`}>${one.title}</a></li>`,
	);
	const ofOperations = operations.map(
		({ id, method, deprecation, path, summary }) =>
			html`<li><a href="#${id}" title="${summary}: ${prefix}${path}"${deprecation && html` class="is-deprecated"`}><span class="badge" data-is="${method}">${method}</span><span>${id}</span></a></li>`,
	);
	return html`<nav class="side" id="contents" popover aria-label="Contents">
	<div class="links">
	${pages.length > 1 && renderGroup("Interfaces", pages)}
	${renderGroup("Overview", [
		renderLink("introduction", "Introduction"),
		renderLink("authentication", "Authentication"),
	])}
	${renderGroup("Operations", ofOperations)}
	${renderGroup("Replies", [
		renderLink("headers", "Headers"),
		renderLink("errors", "Errors"),
	])}
	</div>
</nav>`;
}

function renderGroup(title: string, items: Part): Html {
	return html`<div><p>${title}</p><ul>${items}</ul></div>`;
}

function renderLink(id: string, text: string): Html {
	return html`<li><a href="#${id}">${text}</a></li>`;
}
