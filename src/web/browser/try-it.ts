// Sends the request of a form when the reader submits it, and shows the exchange below the form.
import {
	element,
	type Shown,
	showNetworkFailure,
	showReply,
	showUnsendable,
} from "./exchange.ts";
import { type ReceivedReply, send, toHeaders, toRequest } from "./request.ts";

export function handleForms(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form.try"))
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			void submit(form);
		});
}

async function submit(form: HTMLFormElement): Promise<void> {
	// A second submission before the reply has come would send the request twice.
	if (form.ariaBusy === "true") return;
	const request = toRequest(form, key());
	const headers = toHeaders(request);
	if (headers === undefined) return show(form, showUnsendable());
	form.ariaBusy = "true";
	const shown = await send(request, headers)
		.then((reply) => withNextPage(form, reply, showReply(request, reply)))
		.catch(() => showNetworkFailure(request));
	form.ariaBusy = "false";
	show(form, shown);
	form
		.querySelector(".without-key")
		?.toggleAttribute(
			"hidden",
			request.isKeyless || request.headers[0]?.[0] === "Authorization",
		);
}

function show(form: HTMLFormElement, { outcome, blocks }: Shown): void {
	// The focus must not be lost with what is replaced.
	if (form.querySelector(".exchange")?.contains(document.activeElement))
		form.querySelector("button")?.focus();
	form.querySelector(".outcome")?.replaceChildren(...outcome);
	form.querySelector(".blocks")?.replaceChildren(...blocks);
}

/** With a button that asks for the page after this one, if the reply links to it. */
function withNextPage(
	form: HTMLFormElement,
	{ response }: ReceivedReply,
	shown: Shown,
): Shown {
	const link = response.headers.get("Link") ?? "";
	const [, target] = /<([^>]+)>;\s*rel="next"/.exec(link) ?? [];
	if (target === undefined) return shown;
	const button = element("button", "minor next", "Next page");
	button.type = "button";
	button.addEventListener("click", () => {
		const { searchParams } = new URL(target, location.href);
		for (const [name, value] of searchParams) fill(form, name, value);
		form.requestSubmit();
	});
	return { ...shown, outcome: [...shown.outcome, button] };
}

function fill(form: HTMLFormElement, name: string, value: string): void {
	const field = form.elements.namedItem(name);
	if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
		field.value = value;
}

/** The reader's API key. It is stored for this tab only, and gone with it. */
const keyField = document.querySelector<HTMLInputElement>("#key");

/** Fills the field in, and remembers what is typed. */
export function rememberKey(): void {
	if (keyField === null) return;
	keyField.value =
		sessionStorage.getItem(keyName) ?? keyField.dataset.example ?? "";
	keyField.addEventListener("input", () =>
		sessionStorage.setItem(keyName, key()),
	);
}

function key(): string {
	return keyField?.value.trim() ?? "";
}

const keyName = "petstore-api-key";
