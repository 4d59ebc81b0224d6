// The form of an operation, filled in with examples. The script of the page reads and sends it (browser/form.ts, browser/try-it.ts).
import { type Html, html } from "../html.ts";
import { type Filled, toMark } from "../snippets.ts";
import type { Parameter, ShownOperation } from "./chapter.ts";

export function renderTryIt(operation: ShownOperation): Html {
	const { id, parameters } = operation;
	const { values: _, bodyText, ...fixed } = toFilled(operation);
	const body =
		bodyText !== undefined &&
		html`<div class="field"><label for="${id}-body">Body</label><textarea id="${id}-body" rows="${bodyText.split("\n").length}" ${asWritten}>${bodyText}</textarea></div>`;
	return html`
<form class="try panel" data-operation-id="${id}" data-fixed="${JSON.stringify(fixed)}" aria-label="Try ${id}">
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
		ofBrowser: parameters
			.filter((parameter) => !isTyped(parameter))
			.map(({ name, in: place, example }) =>
				place === "cookie"
					? ["Cookie", toMark("COOKIE")]
					: [name, `${example}`],
			),
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
		reply:
			reply === undefined
				? "headers"
				: reply.schema.format === "binary"
					? "file"
					: "text",
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

/** A browser must not change what a reader types. */
export const asWritten = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;
