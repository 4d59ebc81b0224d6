// The reference page, rendered from the served interfaces. Readers can use it without its script.
import type { AddressOf } from "../assets.ts";
import { type Html, html, prose } from "../html.ts";
import {
	brand,
	type PageOptions,
	renderBase,
	renderLayout,
	themeMenu,
} from "../layout.ts";
import { type Chapter, toChapters } from "./chapter.ts";
import { renderOperation } from "./operation.ts";
import { renderErrors } from "./replies.ts";
import { renderEntries, renderRules } from "./shape.ts";

export function renderReference(
	options: PageOptions,
	addressOf: AddressOf,
): Html {
	const chapters = toChapters(options.interfaces);
	const [first] = chapters;
	return renderLayout({
		title: "Reference · petstore",
		description: first?.summary ?? "",
		name: "reference",
		addressOf,
		body: html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
	<a class="brand" href="./">${brand}</a>
	${options.sandbox && html`<nav class="pages" aria-label="Pages"><a href="sandbox">Sandbox</a></nav>`}
	${renderKey(options)}
	${themeMenu}
</header>
<div class="columns">
${renderContents(chapters)}
<main id="content" tabindex="-1">
${chapters.map((chapter) => renderChapter(chapter, options))}
${renderErrors(chapters)}
</main>
</div>
</body>`,
	});
}

/** The page never contains the key of a reader. The script stores it for the tab (browser/try-it.ts). */
function renderKey({ exampleKey }: PageOptions): Html {
	return html`<div class="key"><label for="key">API key</label><input id="key" placeholder="pet_…" autocomplete="off" autocapitalize="off" spellcheck="false"${
		exampleKey !== undefined && html` data-example="${exampleKey}"`
	}></div>`;
}

function renderContents(chapters: readonly Chapter[]): Html {
	return html`<nav class="side" aria-label="Contents">${chapters.map(renderChapterLinks)}
	<p>Errors</p>
	<ul><li><a href="#errors">All codes</a></li></ul>
</nav>`;
}

function renderChapterLinks(chapter: Chapter): Html {
	const { title, prefix, operations, schemas } = chapter;
	return html`
	<p>${title}</p>
	<ul>
		<li><a href="#${toId("about", prefix)}">Introduction</a></li>
		<li><a href="#${toId("authentication", prefix)}">Authentication</a></li>
	</ul>
	<p>Operations</p>
	<ul>${operations.map(
		({ id, method, deprecation }) =>
			html`<li><a href="#${id}"${deprecation && html` class="is-deprecated"`}><span class="method" data-method="${method}">${method}</span><span>${id}</span></a></li>`,
	)}</ul>
	<p>Schemas</p>
	<ul>${schemas.map(({ name }) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>`;
}

function toId(section: string, prefix: string): string {
	return section + prefix.replaceAll("/", "-");
}

function renderChapter(chapter: Chapter, options: PageOptions): Html {
	const { title, operations, schemas } = chapter;
	return html`${renderIntroduction(chapter, options)}
${operations.map((operation) => renderOperation(operation, options))}
<section class="schemas" aria-label="Schemas of ${title}">
	<h2>Schemas</h2>
	<div class="grid">${schemas.map(renderSchema)}</div>
</section>`;
}

function renderIntroduction(chapter: Chapter, options: PageOptions): Html {
	const { title, version, summary, description, path, prefix } = chapter;
	const introduction = toId("about", prefix);
	const authentication = toId("authentication", prefix);
	const { exampleKey } = options;
	const base = html`${renderBase(options)}${prefix}`;
	return html`
<section class="introduction" id="${introduction}" aria-labelledby="${introduction}-title">
	<h1 id="${introduction}-title">${title} <span class="version">${version}</span></h1>
	<p class="lead">${summary}</p>
	<dl class="facts"><div><dt>Base address</dt><dd><code>${base}</code></dd></div><div><dt>OpenAPI document</dt><dd><a href="${path.slice(1)}">${path}</a></dd></div></dl>
	<p>${prose(description)}</p>
</section>
<section class="introduction" id="${authentication}" aria-labelledby="${authentication}-title ${introduction}-title">
	<h2 id="${authentication}-title">Authentication</h2>
	<p>${prose(chapter.authentication)}</p>
	<p>Every request carries the key in a header:</p>
	<pre class="code" tabindex="0"><code>Authorization: Bearer ${exampleKey ?? "<API_KEY>"}</code></pre>
	<p>${
		exampleKey === undefined
			? "Enter your key at the top of this page to try the operations."
			: html`The key <code>${exampleKey}</code> is valid here and already entered.`
	} This tab keeps the key and sends it only to this service.</p>
</section>`;
}

function renderSchema({ name, shape }: Chapter["schemas"][number]): Html {
	return html`
	<article id="schema-${name}" aria-labelledby="schema-${name}-title">
		<h3 id="schema-${name}-title"><code>${name}</code><span class="type">${shape.type}</span></h3>
		${shape.description !== "" && html`<p>${prose(shape.description)}</p>`}
		${renderRules(shape)}${renderEntries(shape.members)}
	</article>`;
}
