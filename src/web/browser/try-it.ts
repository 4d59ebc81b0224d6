// Sends the request of a form when the reader submits it, and shows the exchange below the form.
import { toTarget } from "../snippets.ts";
import { base } from "./base.ts";
import { findForms, readForm } from "./form.ts";
import { key } from "./key.ts";
import {
	element,
	type SentRequest,
	showFailure,
	showReply,
	showRequest,
} from "./shown-reply.ts";

export function handleForms(): void {
	for (const form of findForms())
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			void submit(form);
		});
}

async function submit(form: HTMLFormElement): Promise<void> {
	// A second submission before the reply would send the request twice.
	if (form.ariaBusy === "true") return;
	form.ariaBusy = "true";
	await exchange(form);
	form.ariaBusy = "false";
}

async function exchange(form: HTMLFormElement): Promise<void> {
	const sent = toSent(form);
	const request = toRequest(sent, "keyless" in form.dataset);
	if (request === undefined) {
		const text =
			"The API key or a header has a character that HTTP does not allow.";
		return show(form, [showFailure("Not sent.", text)]);
	}
	const begun = performance.now();
	try {
		const response = await fetch(request);
		const bytes = await response.arrayBuffer();
		const ms = performance.now() - begun;
		const { outcome, blocks } = showReply(sent, response, bytes, ms);
		show(form, [...outcome, ...toNext(form, response)], blocks);
	} catch {
		const text = `The service did not answer, or the connection broke.${
			sent.method === "GET" ? "" : " The service may have done the request."
		}`;
		show(form, [showFailure("No reply.", text)], [showRequest(sent)]);
	}
}

function toSent(form: HTMLFormElement): SentRequest {
	const filled = readForm(form);
	const { method, values, needsKey, bodyText: body, bodyType } = filled;
	const own = values.filter(({ place }) => place === "header");
	return {
		method,
		body,
		url: new URL(base + toTarget(filled)),
		headers: {
			...(key() !== "" && needsKey && { Authorization: `Bearer ${key()}` }),
			...(body && { "Content-Type": bodyType }),
			...Object.fromEntries(own.map(({ name, value }) => [name, value])),
		},
	};
}

/** Undefined if a header has a character that HTTP does not allow. */
function toRequest(
	{ method, url, headers, body }: SentRequest,
	isKeyless: boolean,
): Request | undefined {
	try {
		return new Request(url, {
			method,
			headers,
			...(body !== undefined && { body }),
			cache: "no-store",
			// An operation without a key uses the browser's session. Others use only the key.
			credentials: isKeyless ? "same-origin" : "omit",
			redirect: "manual",
		});
	} catch {
		return undefined;
	}
}

function show(
	form: HTMLFormElement,
	outcome: readonly Node[],
	blocks: readonly Node[] = [],
): void {
	// Replaced elements must not take the focus with them.
	if (form.querySelector(".exchange")?.contains(document.activeElement))
		form.querySelector("button")?.focus();
	form.querySelector(".outcome")?.replaceChildren(...outcome);
	form.querySelector(".blocks")?.replaceChildren(...blocks);
}

/** A button that requests the next page, if the reply links to one. */
function toNext(form: HTMLFormElement, { headers }: Response): readonly Node[] {
	const link = headers.get("Link") ?? "";
	const [, target] = /<([^>]+)>;\s*rel="next"/.exec(link) ?? [];
	if (target === undefined) return [];
	const button = element("button", "minor next", "Next page");
	button.type = "button";
	button.addEventListener("click", () => {
		const { searchParams } = new URL(target, location.href);
		for (const [name, value] of searchParams) {
			const field = form.elements.namedItem(name);
			if (field !== null && "value" in field) field.value = value;
		}
		form.dispatchEvent(new Event("input"));
		form.requestSubmit();
	});
	return [button];
}
