// One operation: what it does on one side, how to call it on the other.
import { Html, html } from "../html.ts";
import { type PageOptions, renderBase, shownBase } from "../layout.ts";
import type { Operation } from "../openapi/operations.ts";
import { highlight } from "../snippets/highlight.ts";
import { type Language, languages } from "../snippets/languages.ts";
import { type SnippetRequest, toSnippetRequest } from "../snippets/request.ts";
import { prose, toDay } from "./prose.ts";
import { renderReplies } from "./replies.ts";
import { renderMembers, renderParameters, renderType } from "./shapes.ts";
import { renderTryIt } from "./try-it.ts";

export function renderOperation(
	operation: Operation,
	prefix: string,
	options: PageOptions,
): Html {
	const { id, method, path, summary, parameters, body, replies } = operation;
	return html`
<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
	<h2 id="${id}-title">${summary} <code class="operation-id">${id}</code></h2>
	<p class="route"><span class="method" data-method="${method}">${method}</span><code>${prefix}${path}</code></p>
	${renderDescription(operation)}
	${parameters.length > 0 && html`<h3>Parameters</h3>${renderParameters(parameters)}`}
	${body !== undefined && html`<h3>Body ${renderType(body.shape)}</h3>${renderMembers(body.shape.members)}`}
	<h3>Replies</h3>${renderReplies(replies)}
</div>
<div class="use">${renderSnippets(operation, prefix, options)}${renderTryIt(operation, prefix)}</div>
</section>`;
}

function renderDescription(operation: Operation): Html {
	const { description, isDeprecated, sunset } = operation;
	const text = html`<p>${prose(description)}</p>`;
	if (!isDeprecated) return text;
	const title =
		sunset === ""
			? "Deprecated"
			: html`Deprecated, to be removed on <time datetime="${sunset}">${toDay(sunset)}</time>`;
	return html`<div class="deprecated"><p><strong>${title}</strong></p>${text}</div>`;
}

function renderSnippets(
	operation: Operation,
	prefix: string,
	options: PageOptions,
): Html {
	const { baseUrl: base = shownBase, exampleKey: key } = options;
	const request = toSnippetRequest(operation, { base, prefix, key });
	return html`
<fieldset class="snippets"><legend>Snippet of ${operation.id} in</legend>
	${languages.map(({ id, label }, index) => renderChoice(operation.id, id, label, index === 0))}
	${languages.map((language) => renderSnippet(language, request, options))}
</fieldset>`;
}

function renderChoice(
	operationId: string,
	language: string,
	label: string,
	isFirst: boolean,
): Html {
	return html`<label><input type="radio" name="${operationId}-language" value="${language}"${isFirst && html` checked`}>${label}</label>`;
}

function renderSnippet(
	{ id, label, write }: Language,
	request: SnippetRequest,
	options: PageOptions,
): Html {
	const code = highlight(write(request)).text;
	const withBase = code.replaceAll(request.base, renderBase(options).text);
	return html`<pre class="code" data-language="${id}" tabindex="0" aria-label="${label}"><code>${new Html(withBase)}</code></pre>`;
}
