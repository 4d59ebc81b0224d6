// Sends the request of a form when the reader submits it, and shows the exchange below the form.
import { toTarget } from "../snippets/request.ts";
import { base } from "./base.ts";
import {
	element,
	type SentRequest,
	type Shown,
	showFailure,
	showReply,
	showRequest,
} from "./exchange.ts";
import { findForms, readForm } from "./form.ts";
import { key } from "./key.ts";

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
	const sent = toSent(form);
	const request = toRequest(sent, "keyless" in form.dataset);
	if (request === undefined)
		return show(
			form,
			showFailure(
				"Not sent.",
				"The API key or a header has a character that HTTP does not allow.",
			),
		);
	form.ariaBusy = "true";
	show(form, await exchange(form, sent, request));
	form.ariaBusy = "false";
}

function toSent(form: HTMLFormElement): SentRequest {
	const filled = readForm(form);
	const { method, values, needsKey, bodyText: body, bodyType } = filled;
	const own = values.filter(({ place }) => place === "header");
	return {
		method,
		url: new URL(base + toTarget(filled)),
		headers: [
			...(key() !== "" && needsKey
				? [["Authorization", `Bearer ${key()}`] as const]
				: []),
			...(body ? [["Content-Type", bodyType] as const] : []),
			...own.map(({ name, value }) => [name, value] as const),
		],
		body,
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
			headers: headers.map(([name, value]): [string, string] => [name, value]),
			...(body !== undefined && { body }),
			cache: "no-store",
			// An operation without a key is about the session of the browser. For others only the key counts.
			credentials: isKeyless ? "same-origin" : "omit",
			redirect: "manual",
		});
	} catch {
		return undefined;
	}
}

async function exchange(
	form: HTMLFormElement,
	sent: SentRequest,
	request: Request,
): Promise<Shown> {
	const begun = performance.now();
	try {
		const response = await fetch(request);
		const bytes = await response.arrayBuffer();
		const shown = showReply(sent, response, bytes, performance.now() - begun);
		return { ...shown, outcome: [...shown.outcome, ...toNext(form, response)] };
	} catch {
		const text = `The service did not answer, or the connection broke.${
			sent.method === "GET" ? "" : " The service may have done the request."
		}`;
		const shown = showFailure("No reply.", text);
		return { ...shown, blocks: [showRequest(sent)] };
	}
}

function show(form: HTMLFormElement, { outcome, blocks }: Shown): void {
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
