// Sends the request of a form when the reader submits it, and shows the exchange below the form: as it was sent, and as it was received.
import { toQuantity } from "../../domain/quantity.ts";
import { type SentRequest, toRequest } from "../snippets.ts";
import { base } from "./base.ts";
import { element, highlight } from "./element.ts";
import { forms, key, maskedKey, readForm } from "./form.ts";
import { indent } from "./json-text.ts";

export function handleForms(): void {
	for (const form of forms) {
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			void submit(form);
		});
		form.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
			if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit();
		});
	}
}

async function submit(form: HTMLFormElement): Promise<void> {
	// A second submission before the reply would send the request twice.
	if (form.ariaBusy === "true") return;
	form.ariaBusy = "true";
	await exchange(form);
	form.ariaBusy = "false";
}

async function exchange(form: HTMLFormElement): Promise<void> {
	const filled = readForm(form);
	const sent = toRequest({ ...filled, ofBrowser: [] }, base, key());
	const { method, url, headers, body } = sent;
	const begun = performance.now();
	try {
		const reply = await fetch(url, {
			method,
			headers: headers.map(([name, value]) => [name, value]),
			...(body !== undefined && { body }),
			cache: "no-store",
			// An operation without a key uses the browser's session. Others use only the key.
			credentials: filled.needsKey ? "omit" : "same-origin",
			redirect: "manual",
		});
		const bytes = await reply.arrayBuffer();
		const ms = (performance.now() - begun).toFixed(0);
		const status = element("span", "badge", String(reply.status));
		status.dataset.is = String(reply.status);
		const figures = `${ms} ms, ${toQuantity(bytes.byteLength, "byte")}`;
		const outcome = [
			status,
			element("strong", "", reply.statusText),
			element("span", "figures", figures),
		];
		show(form, outcome, {
			"Reply body": toBody(reply, bytes),
			"Reply headers": toLines([...reply.headers]),
			"Request as sent": toText(sent),
		});
	} catch (error) {
		const end =
			method === "GET" ? "" : " The service may have done the request.";
		show(form, [failed("No reply.", `${error}.${end}`)], {
			"Request as sent": toText(sent),
		});
	}
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

function failed(title: string, text: string): Node {
	return element("span", "failed", element("strong", "", title), ` ${text}`);
}

function show(
	form: HTMLFormElement,
	outcome: readonly Node[],
	blocks: Readonly<Record<string, string>> = {},
): void {
	// Replaced elements must not take the focus with them.
	if (form.querySelector(".exchange")?.contains(document.activeElement))
		form.querySelector("button")?.focus();
	form.querySelector(".outcome")?.replaceChildren(...outcome);
	const sections = Object.entries(blocks)
		.filter(([, text]) => text !== "")
		.map(([title, text]) => {
			const pre = element(
				"pre",
				"code",
				element("code", "", ...highlight(text)),
			);
			// The keyboard must reach everything that scrolls.
			pre.tabIndex = 0;
			return element("section", "", element("h4", "", title), pre);
		});
	form.querySelector(".blocks")?.replaceChildren(...sections);
}
