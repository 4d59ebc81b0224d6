// Sends the request of a form when the reader submits it, and shows the exchange below the form.
import { key } from "./api-key.ts";
import { element } from "./elements.ts";
import { showNetworkFailure, showReply } from "./exchange.ts";
import { type ReceivedReply, send, toRequest } from "./request.ts";

export function handleForms(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form.try"))
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			void submit(form);
		});
}

async function submit(form: HTMLFormElement): Promise<void> {
	const request = toRequest(form, key());
	// A second submission before the reply has come would send the request twice.
	if (form.ariaBusy === "true") return;
	form.ariaBusy = "true";
	const shown = await send(request)
		.then((reply) => [...showReply(request, reply), ...nextPage(form, reply)])
		.catch(() => showNetworkFailure(request));
	form.ariaBusy = "false";
	form.querySelector(".exchange")?.replaceChildren(...shown);
	form
		.querySelector(".without-key")
		?.toggleAttribute("hidden", request.headers[0]?.[0] === "Authorization");
}

/** A button that asks for the page after this one, if the reply links to it. */
function nextPage(
	form: HTMLFormElement,
	{ response }: ReceivedReply,
): readonly Node[] {
	const link = response.headers.get("Link") ?? "";
	const [, target] = /<([^>]+)>;\s*rel="next"/.exec(link) ?? [];
	if (target === undefined) return [];
	const button = element("button", "next", "Next page");
	button.type = "button";
	button.addEventListener("click", () => {
		const { searchParams } = new URL(target, location.href);
		for (const [name, value] of searchParams) fill(form, name, value);
		form.requestSubmit();
	});
	return [element("p", "", button)];
}

function fill(form: HTMLFormElement, name: string, value: string): void {
	const field = form.elements.namedItem(name);
	if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
		field.value = value;
}
