// One operation: its description on one side, snippets and a form on the other.
import { Html, highlight, html, prose } from "../html.ts";
import { type PageOptions, renderBase, shownBase } from "../layout.ts";
import { languages } from "../snippets/languages.ts";
import { toSnippetRequest } from "../snippets/request.ts";
import type { Parameter, ShownOperation } from "./chapter.ts";
import { renderReplies } from "./replies.ts";
import { renderEntries, renderType } from "./shape.ts";

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

/** The script of the page sends the form (browser/try-it.ts). */
function renderTryIt(operation: ShownOperation): Html {
	const { id, method, prefix, path, scope, body } = operation;
	const parameters = operation.parameters.filter(isSettable);
	return html`
<form class="try" data-method="${method}" data-path="${prefix}${path}"${scope === undefined && html` data-keyless`} aria-label="Try ${id}">
	<h3>Try it</h3>
	<div class="fields">${parameters.map((parameter) => renderField(id, parameter))}</div>
	${body !== undefined && renderBody(id, body.examples[0])}
	<p class="send"><button>Send</button><span class="without-key" hidden>No <a href="#key">API key</a> is entered.</span></p>
	<noscript><p class="note">Sending needs JavaScript.</p></noscript>
	<div class="exchange"><p class="outcome" role="status"></p><div class="blocks"></div></div>
</form>`;
}

/** A browser sets the other parameters, and no script can. */
function isSettable({ name, place }: Parameter): boolean {
	return place !== "cookie" && !name.startsWith("Sec-");
}

function renderField(operationId: string, parameter: Parameter): Html {
	const { name, place, isRequired, shape } = parameter;
	const id = `${operationId}-${name}`;
	const shared = html`id="${id}" name="${name}" data-place="${place}"`;
	const control =
		shape.values.length > 0
			? html`<select ${shared}>${!isRequired && html`<option value="">any</option>`}${shape.values.map(
					(value) => html`<option>${value}</option>`,
				)}</select>`
			: html`<input ${shared} autocomplete="off" autocapitalize="off" spellcheck="false"${renderHints(parameter)}>`;
	return html`
		<div class="field"><label for="${id}">${name}</label>${control}</div>`;
}

/** A required field has the example as its value, an optional field as its placeholder. */
function renderHints({ isRequired, example, shape }: Parameter): Html {
	const keyboard = /^int/.test(shape.type) && html` inputmode="numeric"`;
	if (isRequired)
		return html`${keyboard} required value="${String(example ?? "")}"`;
	const suggestion = shape.default ?? example;
	return html`${keyboard}${suggestion !== undefined && html` placeholder="${String(suggestion)}"`}`;
}

function renderBody(operationId: string, example: unknown): Html {
	const text = JSON.stringify(example, null, 2);
	const id = `${operationId}-body`;
	return html`<div class="field"><label for="${id}">Body</label><textarea id="${id}" data-place="body" rows="${text.split("\n").length}" autocomplete="off" autocapitalize="off" spellcheck="false">${text}</textarea></div>`;
}
