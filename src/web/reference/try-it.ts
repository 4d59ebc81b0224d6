// The form of an operation, filled in with examples. The script of the page reads and sends it (browser/form.ts, browser/try-it.ts).
import { type Html, html, type Part } from "../html.ts";
import type { Filled } from "../snippets.ts";
import type { Parameter, ShownOperation } from "./chapter.ts";

export function renderTryIt(operation: ShownOperation): Html {
	const { id } = operation;
	const { method, path, needsKey, reply, bodyType, bodyText } =
		toFilled(operation);
	return html`
<form class="try panel" data-operation-id="${id}" data-method="${method}" data-path="${path}" data-reply="${reply}" data-body-type="${bodyType}"${!needsKey && html` data-keyless`} aria-label="Try ${id}">
	<h3>Try it</h3>
	<div class="grid">${operation.parameters.map((parameter) => renderField(id, parameter))}</div>
	${renderBody(id, bodyText)}
	<p class="send row"><button>Send</button>${needsKey && html`<span class="hint">with <a class="used-key" href="#key">no API key</a></span>`}</p>
	<noscript><p class="hint">Sending needs JavaScript.</p></noscript>
	<div class="exchange"><p class="outcome row" role="status"></p><div class="blocks"></div></div>
</form>`;
}

/** The initial values of the form. */
export function toFilled(operation: ShownOperation): Filled {
	const { method, prefix, path, scope, parameters } = operation;
	return {
		method,
		path: prefix + path,
		needsKey: scope !== undefined,
		values: parameters
			.map((parameter) => ({
				place: toPlace(parameter),
				name: parameter.name,
				value: toValue(parameter),
			}))
			.filter(({ value }) => value !== ""),
		bodyText: toExample(operation),
		bodyType: operation.body?.mediaType ?? "application/json",
		reply: toReply(operation),
	};
}

/** Only browsers can set `Sec-` headers. */
function toPlace({ name, place }: Parameter): string {
	return name.startsWith("Sec-") ? "fixed" : place;
}

/** Optional fields start empty. */
function toValue(parameter: Parameter): string {
	const place = toPlace(parameter);
	if (place === "cookie") return "COOKIE";
	return parameter.isRequired || place === "fixed"
		? String(parameter.example ?? "")
		: "";
}

function toReply({ replies }: ShownOperation): string {
	const { body } = replies.find(({ status }) => status < 300) ?? {};
	if (body === undefined) return "headers";
	return body.shape.type === "binary" ? "file" : "text";
}

function renderField(operationId: string, parameter: Parameter): Html {
	const { name, isRequired, shape } = parameter;
	const hint = shape.default ?? parameter.example;
	const id = `${operationId}-${name}`;
	const place = toPlace(parameter);
	const value = toValue(parameter);
	const shared = html`id="${id}" name="${name}" data-place="${place}"`;
	if (place === "fixed" || place === "cookie")
		return html`<input type="hidden" ${shared} value="${value}">`;
	const control =
		shape.values.length > 0
			? html`<select ${shared}>${!isRequired && html`<option value="">any</option>`}${shape.values.map(
					(one) =>
						html`<option${one === value && html` selected`}>${one}</option>`,
				)}</select>`
			: html`<input ${shared} ${asWritten}${/^int/.test(shape.type) && html` inputmode="numeric"`}${isRequired ? html` required value="${value}"` : hint !== undefined && html` placeholder="${String(hint)}"`}>`;
	return html`
		<div class="field"><label for="${id}">${name}</label>${control}</div>`;
}

/** A browser must not change what a reader types. */
export const asWritten = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;

/** A file is a text; a body that is JSON is any other value. */
function toExample({ body }: ShownOperation): string | undefined {
	if (body === undefined) return undefined;
	const { example } = body;
	return typeof example === "string"
		? example
		: JSON.stringify(example, null, 2);
}

function renderBody(operationId: string, bodyText: string | undefined): Part {
	if (bodyText === undefined) return undefined;
	const id = `${operationId}-body`;
	return html`<div class="field"><label for="${id}">Body</label><textarea id="${id}" rows="${bodyText.split("\n").length}" ${asWritten}>${bodyText}</textarea></div>`;
}
