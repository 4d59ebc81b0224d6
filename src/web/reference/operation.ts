// One operation: its description on one side, snippets and a form on the other.
import { Html, highlight, html, prose } from "../html.ts";
import { type PageOptions, renderBase } from "../layout.ts";
import { toCurl, toSnippetRequest } from "../snippets.ts";
import type { ShownOperation } from "./chapter.ts";
import { renderReply } from "./replies.ts";
import { renderEntries, renderMembers, renderType } from "./schema.ts";
import { renderTryIt, toFilled } from "./try-it.ts";

export function renderOperation(
	operation: ShownOperation,
	options: PageOptions,
): Html {
	const { id, method, prefix, path, parameters, body } = operation;
	return html`
<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
	<h2 id="${id}-title">${operation.summary} <small><code>${id}</code></small></h2>
	<p class="row"><span class="badge" data-is="${method}">${method}</span><code>${prefix}${path}</code></p>
	${renderDescription(operation)}
	${parameters.length > 0 && html`<h3>Parameters</h3>${renderEntries(parameters)}`}
	${body !== undefined && html`<h3>Body ${renderType(body.schema)}</h3>${renderMembers(body.schema)}`}
	<h3>Replies</h3><div class="replies">${operation.replies.map(renderReply)}</div>
</div>
<div class="use">${renderSnippet(operation, options)}${renderTryIt(operation)}</div>
</section>`;
}

function renderDescription(operation: ShownOperation): Html {
	const { description, deprecation } = operation;
	const text = html`<p>${prose(description)}</p>`;
	if (deprecation === undefined) return text;
	const { sunset } = deprecation;
	const title = html`Deprecated, to be removed on <time datetime="${sunset.toISOString().slice(0, 10)}">${day.format(sunset)}</time>`;
	return html`<div class="deprecated"><p><strong>${title}</strong></p>${text}</div>`;
}

const day = new Intl.DateTimeFormat("en-GB", {
	dateStyle: "long",
	timeZone: "UTC",
});

/** The script of the page writes the other languages, with the values of the form (browser/snippets.ts). */
function renderSnippet(operation: ShownOperation, options: PageOptions): Html {
	const { listenUrl, baseUrl: base = listenUrl, exampleKey } = options;
	const request = toSnippetRequest(toFilled(operation), base, exampleKey);
	const code = highlight(toCurl(request)).text;
	const shown = new Html(code.replaceAll(base, renderBase(options).text));
	return html`
<div class="snippets"><pre class="code"><code>${shown}</code></pre></div>`;
}
