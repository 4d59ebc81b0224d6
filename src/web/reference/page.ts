// A page of the reference, rendered from one served interface. Readers can use it without its script.

import type { Interface } from "../../interface/operation.ts";
import { type Html, html, prose } from "../html.ts";
import {
	asWritten,
	type Page,
	type PageOptions,
	renderBase,
	toPageName,
} from "../layout.ts";
import { type Chapter, toChapter } from "./chapter.ts";
import { renderOperation } from "./operation.ts";
import { renderAllHeaders, renderErrors } from "./replies.ts";

export function toReference(options: PageOptions, page: string): Page {
	const described = options.interfaces.find((one) => toPageName(one) === page);
	if (described === undefined) throw new Error(`No interface has ${page}.`);
	const chapter = toChapter(described);
	const root = page.includes("/") ? "../" : "";
	return {
		title: `${chapter.title} · Reference · petstore`,
		name: "reference",
		root,
		data: { "base-url": options.baseUrl },
		skip: html`<a class="skip" href="#content">Skip to the content</a>`,
		end: html`<button class="minor menu" popovertarget="contents">Menu</button>`,
		content: html`<div class="columns">
${renderContents(options.interfaces, chapter, root)}
<main id="content" tabindex="-1">
${renderIntroduction(chapter, options, root)}
${chapter.operations.map((operation) => renderOperation(operation, options))}
${renderAllHeaders(chapter)}
${renderErrors(chapter)}
</main>
</div>`,
	};
}

function renderIntroduction(
	chapter: Chapter,
	options: PageOptions,
	root: string,
): Html {
	const { title, version, summary, description, path, prefix } = chapter;
	const base = html`${renderBase(options)}${prefix}`;
	const toShown = (text: string) =>
		prose(options.sandbox ? text.replace(chapter.howToGetKey, "") : text);
	return html`
<section class="introduction" id="introduction" aria-labelledby="introduction-title">
	<h1 id="introduction-title">${title} <small>${version}</small></h1>
	<p class="lead">${summary}</p>
	<dl class="facts row"><div><dt>Base address</dt><dd><code>${base}</code></dd></div><div><dt>OpenAPI document</dt><dd><a href="${root}${path.slice(1)}">${path}</a></dd></div></dl>
	${description.split("\n\n").map((text) => html`<p>${toShown(text)}</p>`)}
</section>
<section class="introduction" id="authentication" aria-labelledby="authentication-title">
	<h2 id="authentication-title">Authentication</h2>
	<p>${toShown(chapter.authentication)}</p>
	${renderKey(options)}
</section>`;
}

/** The page never contains the key of a reader. The script stores it for the tab (browser/try-it.ts). */
function renderKey({ exampleKey }: PageOptions): Html {
	return html`<p>Every request carries the key in a header:</p>
	<pre class="code"><code>Authorization: Bearer ${exampleKey ?? "<API_KEY>"}</code></pre>
	<div class="field key"><label for="key">API key</label><input id="key" placeholder="pet_…" ${asWritten}${
		exampleKey !== undefined && html` data-example="${exampleKey}"`
	}></div>
	<p class="hint">${
		exampleKey === undefined
			? "Enter your key to try the operations and to have it in the snippets."
			: html`The key <code>${exampleKey}</code> is valid here and already entered.`
	} This tab keeps the key and sends it only to this service.</p>`;
}

/** The script follows the reader (browser/reference.ts). On a narrow screen a button opens it as a menu. */
function renderContents(
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
	${pages.length > 1 && html`<p>Interfaces</p><ul>${pages}</ul>`}
	<p>Overview</p><ul><li><a href="#introduction">Introduction</a></li><li><a href="#authentication">Authentication</a></li></ul>
	<p>Operations</p><ul>${ofOperations}</ul>
	<p>Replies</p><ul><li><a href="#headers">Headers</a></li><li><a href="#errors">Errors</a></li></ul>
	</div>
</nav>`;
}
