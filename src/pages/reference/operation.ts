// One operation: what it does on one side, how to call it on the other.
import { Html, html, prose } from "../html.ts";
import { type PageOptions, renderBase, shownBase } from "../layout.ts";
import { highlight } from "../snippets/highlight.ts";
import { languages } from "../snippets/languages.ts";
import { toSnippetRequest } from "../snippets/request.ts";
import type { ShownOperation } from "./chapter.ts";
import { renderEntries, renderType } from "./entries.ts";
import { renderReplies } from "./replies.ts";
import { renderTryIt } from "./try-it.ts";

export function renderOperation(
	operation: ShownOperation,
	options: PageOptions,
): Html {
	const { id, method, prefix, path, parameters, body } = operation;
	return html`
<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
	<h2 id="${id}-title">${operation.summary} <code class="operation-id">${id}</code></h2>
	<p class="route"><span class="method" data-method="${method}">${method}</span><code>${prefix}${path}</code></p>
	${renderDescription(operation)}
	${parameters.length > 0 && html`<h3>Parameters</h3>${renderEntries(parameters)}`}
	${body !== undefined && html`<h3>Body ${renderType(body.shape)}</h3>${renderEntries(body.shape.members)}`}
	<h3>Replies</h3>${renderReplies(operation.replies)}
</div>
<div class="use">${renderSnippets(operation, options)}${renderTryIt(operation)}</div>
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

function renderSnippets(operation: ShownOperation, options: PageOptions): Html {
	const { baseUrl: base = shownBase, exampleKey: key } = options;
	const request = toSnippetRequest(operation, base, key);
	const shownAddress = renderBase(options).text;
	return html`
<fieldset class="snippets"><legend>Snippet of ${operation.id} in</legend>
	${languages.map(
		({ id, label }, index) =>
			html`<label><input type="radio" name="${operation.id}-language" value="${id}"${index === 0 && html` checked`}>${label}</label>`,
	)}
	${languages.map(({ id, label, write }) => {
		const code = highlight(write(request)).text;
		const shown = new Html(code.replaceAll(base, shownAddress));
		return html`<pre class="code" data-language="${id}" tabindex="0" aria-label="${label}"><code>${shown}</code></pre>`;
	})}
</fieldset>`;
}
