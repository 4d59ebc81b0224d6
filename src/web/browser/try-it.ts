// The forms and the key of the reader. Sends the request of a submitted form, and shows the exchange below it, as sent and as received.
import { parseRounded } from "../../client/json.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { type Html, highlight, html } from "../html.ts";
import { type Filled, type SentRequest, toRequest } from "../snippets.ts";
import { base, keyName } from "./base.ts";
import { indent } from "./json-text.ts";

/** Those of the operations (reference/operation.ts). */
export const forms = [
	...document.querySelectorAll<HTMLFormElement>("form.try"),
];

export function readForm(form: HTMLFormElement): Filled {
	const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
		"[data-place]",
	);
	return {
		...parseRounded<Filled>(form.dataset.fixed ?? ""),
		values: [...fields]
			.filter(({ value }) => value !== "")
			.map(({ dataset: { place = "" }, name, value }) => ({
				...{ place, name, value },
			})),
		bodyText: form.querySelector("textarea")?.value || undefined,
	};
}

/** Only this tab stores the API key of the reader, and the page shows only its start. */
const keyField = document.querySelector<HTMLInputElement>("#key");
const example = keyField?.dataset.example ?? "";

if (keyField !== null) keyField.value = key();
keyField?.addEventListener("input", () =>
	sessionStorage.setItem(keyName, keyField.value.trim()),
);

export function key(): string {
	return keyField ? (sessionStorage.getItem(keyName) ?? example) : "";
}

/** Shows only the start of the key, since others may see the screen. The example key is not a secret. */
export function maskedKey(): string {
	if (key() === example) return example;
	return key().length < 16 ? "…" : `${key().slice(0, 8)}…`;
}

export function handleForms(): void {
	for (const form of forms) {
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			void submit(form);
		});
		form.addEventListener("click", ({ target }) => {
			if (target instanceof HTMLElement && target.matches(".next"))
				submitNext(form, target.dataset.page ?? "");
		});
		form.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
			if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit();
		});
	}
}

/** Sends the request for the page that a `Link` names. The fields and the snippet show it too. */
function submitNext(form: HTMLFormElement, page: string): void {
	const { searchParams } = new URL(page, base);
	const fields = form.querySelectorAll<HTMLInputElement>("[data-place=query]");
	for (const field of fields) field.value = searchParams.get(field.name) ?? "";
	form.dispatchEvent(new Event("input", { bubbles: true }));
	form.requestSubmit();
}

async function submit(form: HTMLFormElement): Promise<void> {
	// A second submission before the reply would send the request twice.
	if (busy.has(form)) return;
	busy.add(form);
	form.ariaBusy = "true";
	const filled = readForm(form);
	const sent = toRequest(filled, base, key());
	// An operation without a key uses the browser's session. Others use only the key.
	const credentials = filled.needsKey ? "omit" : "same-origin";
	const [outcome, blocks = {}] = await exchange(sent, credentials).catch(
		(error) => {
			const end =
				sent.method === "GET" ? "" : " The service may have done the request.";
			const text = `${error}.${end}`;
			return [
				html`<span class="failed"><strong>No reply.</strong> ${text}</span>`,
			] as const;
		},
	);
	show(form, outcome, { ...blocks, "Request as sent": toText(sent) });
	form.ariaBusy = "false";
	busy.delete(form);
}

const busy = new Set<HTMLFormElement>();

async function exchange(
	{ method, url, headers, body }: SentRequest,
	credentials: RequestCredentials,
) {
	const begun = performance.now();
	const reply = await fetch(url, {
		method,
		headers: headers.map(([name, value]) => [name, value]),
		...(body !== undefined && { body }),
		cache: "no-store",
		credentials,
		redirect: "manual",
	});
	const bytes = await reply.arrayBuffer();
	const ms = (performance.now() - begun).toFixed(0);
	const link = reply.headers.get("Link") ?? "";
	const [, next] = /<([^>]+)>; rel="next"/.exec(link) ?? [];
	const outcome = html`<span class="badge" data-is="${reply.status}">${reply.status}</span>
<strong>${reply.statusText}</strong>
<span class="figures">${ms} ms, ${toQuantity(bytes.byteLength, "byte")}</span>
${next && html`<button type="button" class="minor next" data-page="${next}">Next page</button>`}`;
	const blocks = {
		"Reply body": toBody(reply, bytes),
		"Reply headers": toLines([...reply.headers]),
	};
	return [outcome, blocks] as const;
}

function toBody({ headers }: Response, bytes: ArrayBuffer): string {
	return /^text\/|json/.test(headers.get("Content-Type") ?? "text/")
		? indent(new TextDecoder().decode(bytes))
		: "The body is a file and is not shown.";
}

function toText({ method, url, headers, body }: SentRequest): string {
	const { pathname, search } = new URL(url);
	const head = `${method} ${pathname}${search}\n${toLines(headers)}`;
	const shown = key() === "" ? head : head.replaceAll(key(), maskedKey());
	return body === undefined ? shown : `${shown}\n\n${body}`;
}

function toLines(headers: readonly (readonly string[])[]): string {
	return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

function show(
	form: HTMLFormElement,
	outcome: Html,
	blocks: Readonly<Record<string, string>>,
): void {
	const place = form.querySelector(".exchange");
	const hadFocus = place?.contains(document.activeElement);
	const put = (name: string, content: Html) => {
		const part = form.querySelector(name);
		if (part) part.innerHTML = content.text;
	};
	put(".outcome", outcome);
	// The keyboard must reach everything that scrolls.
	const sections = Object.entries(blocks).map(
		([title, text]) =>
			text &&
			html`<section><h4>${title}</h4><pre class="code" tabindex="0"><code>${highlight(text)}</code></pre></section>`,
	);
	put(".blocks", html`${sections}`);
	// Replaced elements must not take the focus with them.
	if (hadFocus)
		(place?.querySelector("button") ?? form.querySelector("button"))?.focus();
}
