// One operation: its description on one side, on the other a snippet and a form, filled in with examples. The script of the page reads and
// sends the form, and writes the snippet in other languages (browser/reference.ts, browser/try-it.ts).
import { type Html, highlight, html, prose } from "../html.ts";
import { asWritten, copyButton, type PageOptions } from "../layout.ts";
import {
	type Filled,
	hasLanguage,
	languages,
	toCurl,
	toSnippetRequest,
} from "../snippets.ts";
import type { Parameter, ShownOperation } from "./chapter.ts";
import { renderReply } from "./replies.ts";
import { renderEntries, renderMembers, renderType } from "./schema.ts";

export function renderOperation(
	operation: ShownOperation,
	options: PageOptions,
): Html {
	const { id, method, prefix, path, parameters, body } = operation;
	const filled = toFilled(operation);
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
<div class="use">${renderSnippet(operation, filled, options)}${renderTryIt(operation, filled)}</div>
</section>`;
}

function renderDescription(operation: ShownOperation): Html {
	const { description, deprecation } = operation;
	const text = html`<p>${prose(description)}</p>`;
	if (deprecation === undefined) return text;
	const { sunset } = deprecation;
	const day = sunset.toLocaleDateString("en-GB", {
		dateStyle: "long",
		timeZone: "UTC",
	});
	return html`<div class="deprecated"><p><strong>Deprecated, to be removed on ${day}</strong></p>${text}</div>`;
}

/** None for an operation of a browser's session. */
function renderSnippet(
	{ id }: ShownOperation,
	filled: Filled,
	{ listenUrl, baseUrl = listenUrl, exampleKey }: PageOptions,
): Html | false {
	const choices = Object.entries(languages)
		.filter(([language]) => hasLanguage(language, filled))
		.map(
			([language, { label }]) =>
				html`<label><input type="radio" name="${id}-language" value="${language}">${label}</label>`,
		);
	const code = toCurl(toSnippetRequest(filled, baseUrl, exampleKey));
	return (
		filled.needsKey &&
		html`
<div class="snippets"><div class="row"><fieldset class="choice"><legend class="unseen">${id} in</legend>${choices}</fieldset>${copyButton}</div><pre class="code"><code>${highlight(code)}</code></pre></div>`
	);
}

function renderTryIt({ id, parameters }: ShownOperation, filled: Filled): Html {
	const { values: _, bodyText, ...fixed } = filled;
	const body =
		bodyText !== undefined &&
		html`<div class="field"><label for="${id}-body">Body</label><textarea id="${id}-body" rows="${bodyText.split("\n").length}" ${asWritten}>${bodyText}</textarea></div>`;
	return html`
<form class="try panel" data-fixed="${JSON.stringify(fixed)}" aria-label="Try ${id}">
	<h3>Try it</h3>
	<div class="grid">${parameters.filter(isTyped).map((parameter) => renderField(id, parameter))}</div>
	${body}
	<p class="send row"><button>Send</button>${fixed.needsKey && html`<span class="hint">with <a class="used-key" href="#key">no API key</a></span>`}</p>
	<noscript><p class="hint">Sending needs JavaScript.</p></noscript>
	<div class="exchange"><p class="outcome row" role="status"></p><div class="blocks"></div></div>
</form>`;
}

/** The initial values of the form: optional fields start empty. */
export function toFilled(operation: ShownOperation): Filled {
	const { method, prefix, path, scope, parameters, body } = operation;
	const { example } = body ?? {};
	const reply = operation.replies.find(({ status }) => status < 300)?.body;
	return {
		method,
		path: prefix + path,
		needsKey: scope !== undefined,
		values: parameters
			.filter((parameter) => isTyped(parameter) && parameter.required)
			.map(({ name, in: place, example }) => ({
				...{ name, place },
				value: String(example),
			})),
		// A file is a text; a body that is JSON is any other value.
		bodyText:
			typeof example === "string" ? example : JSON.stringify(example, null, 2),
		bodyType: body?.mediaType ?? "application/json",
		isFile: reply?.schema.format === "binary",
	};
}

/** Only browsers can set the others: `Sec-` headers and cookies. */
function isTyped({ name, in: place }: Parameter): boolean {
	return place !== "cookie" && !name.startsWith("Sec-");
}

function renderField(operationId: string, parameter: Parameter): Html {
	const { name, in: place, required, schema, example } = parameter;
	const id = `${operationId}-${name}`;
	const shared = html`id="${id}" name="${name}" data-place="${place}"`;
	const hint = JSON.stringify(schema.default) ?? example;
	const control =
		schema.enum !== undefined
			? html`<select ${shared}>${!required && html`<option value="">any</option>`}${schema.enum.map((one) => html`<option>${one}</option>`)}</select>`
			: html`<input ${shared} ${asWritten}${schema.format?.startsWith("int") && html` inputmode="numeric"`}${required ? html` required value="${String(example)}"` : hint !== undefined && html` placeholder="${String(hint)}"`}>`;
	return html`
		<div class="field"><label for="${id}">${name}</label>${control}</div>`;
}
