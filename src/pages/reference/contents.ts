// The navigation at the side: every section of the page.
import { type Html, html } from "../html.ts";
import type { Chapter } from "./chapter.ts";

export function renderContents(chapters: readonly Chapter[]): Html {
	return html`<nav class="side" aria-label="Contents">${chapters.map(renderChapterLinks)}
	<p>Errors</p>
	<ul><li><a href="#errors">All codes</a></li></ul>
</nav>`;
}

function renderChapterLinks({
	title,
	prefix,
	operations,
	schemas,
}: Chapter): Html {
	return html`
	<p>${title}</p>
	<ul>
		<li><a href="#${toIntroductionId(prefix)}">Introduction</a></li>
		<li><a href="#${toAuthenticationId(prefix)}">Authentication</a></li>
	</ul>
	<p>Operations</p>
	<ul>${operations.map(
		({ id, method, isDeprecated }) =>
			html`<li><a href="#${id}"${isDeprecated && html` class="is-deprecated"`}><span class="method" data-method="${method}">${method}</span><span>${id}</span></a></li>`,
	)}</ul>
	<p>Schemas</p>
	<ul>${schemas.map(({ name }) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>`;
}

export function toIntroductionId(prefix: string): string {
	return `about${prefix.replaceAll("/", "-")}`;
}

export function toAuthenticationId(prefix: string): string {
	return `authentication${prefix.replaceAll("/", "-")}`;
}
