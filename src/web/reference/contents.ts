// The navigation of the reference: its pages, and the sections of this page.
import { type Html, html } from "../html.ts";
import type { ServedInterface } from "../layout.ts";
import type { Chapter } from "./chapter.ts";

/** The script shows the field and follows the reader (browser/contents.ts). On a narrow screen a button opens it as a menu. */
export function renderContents(
	interfaces: readonly ServedInterface[],
	chapter: Chapter,
	root: string,
): Html {
	return html`<nav class="side" id="contents" popover aria-label="Contents">
	<p class="filter" hidden><input type="search" aria-label="Filter operations and schemas" placeholder="Filter" autocomplete="off" spellcheck="false"></p>
	<div class="links">
	${
		interfaces.length > 1 &&
		renderGroup(
			"Interfaces",
			interfaces.map(
				({ page, described }) =>
					html`<li><a href="${root}${page}"${described.prefix === chapter.prefix && html` aria-current="page"`}>${described.title}</a></li>`,
			),
		)
	}
	${renderGroup("Overview", [
		html`<li><a href="#introduction">Introduction</a></li>`,
		html`<li><a href="#authentication">Authentication</a></li>`,
	])}
	${renderGroup("Operations", renderOperations(chapter))}
	${renderGroup("Schemas", renderSchemas(chapter))}
	${renderGroup("Replies", [
		html`<li><a href="#headers">Headers</a></li>`,
		html`<li><a href="#errors">Errors</a></li>`,
	])}
	</div>
</nav>`;
}

function renderGroup(title: string, items: readonly Html[]): Html {
	return html`<div><p>${title}</p><ul>${items}</ul></div>`;
}

function renderOperations({ operations }: Chapter): readonly Html[] {
	return operations.map(
		({ id, method, deprecation, prefix, path, summary }) =>
			// The filter finds the title too.
			html`<li><a href="#${id}" title="${summary}: ${prefix}${path}"${deprecation && html` class="is-deprecated"`}><span class="badge" data-is="${method}">${method}</span><span>${id}</span></a></li>`,
	);
}

function renderSchemas({ schemas }: Chapter): readonly Html[] {
	return schemas.map(
		({ name }) => html`<li><a href="#schema-${name}">${name}</a></li>`,
	);
}
