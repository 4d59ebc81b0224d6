// The form that sends a request of the reader. The script of the page sends it (browser/try-it.ts).
import { type Html, html } from "../html.ts";
import type { Parameter, ShownOperation } from "./chapter.ts";

export function renderTryIt(operation: ShownOperation): Html {
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

/** A browser sends the others by itself, and lets no script set them. */
function isSettable({ name, place }: Parameter): boolean {
	return place !== "cookie" && !name.startsWith("Sec-");
}

function renderField(operationId: string, parameter: Parameter): Html {
	const { name, place, shape } = parameter;
	const id = `${operationId}-${name}`;
	return html`
		<div class="field"><label for="${id}">${name}</label>${
			shape.values.length > 0
				? renderSelect(id, parameter)
				: html`<input id="${id}" name="${name}" data-place="${place}" autocomplete="off" autocapitalize="off" spellcheck="false"${renderHints(parameter)}>`
		}</div>`;
}

function renderSelect(id: string, parameter: Parameter): Html {
	const { name, place, isRequired, shape } = parameter;
	return html`<select id="${id}" name="${name}" data-place="${place}">${!isRequired && html`<option value="">any</option>`}${shape.values.map(
		(value) => html`<option>${value}</option>`,
	)}</select>`;
}

/** What must be given is filled in. What need not be given is left out, and only suggested. */
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
