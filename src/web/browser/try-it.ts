// Sends the request of a form when the reader submits it, and shows the exchange below the form.
import { base } from "./base.ts";
import {
	element,
	type Pairs,
	type SentRequest,
	type Shown,
	showFailure,
	showReply,
	showRequest,
} from "./exchange.ts";

export function handleForms(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form.try"))
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
	const isKeyless = "keyless" in form.dataset || key() !== "";
	form.querySelector(".without-key")?.toggleAttribute("hidden", isKeyless);
}

function toSent(form: HTMLFormElement): SentRequest {
	const { method = "GET", path = "" } = form.dataset;
	const fields = [...form.querySelectorAll<Field>("[data-place]")];
	const given = (place: string): Pairs =>
		fields
			.filter(({ dataset, value }) => dataset.place === place && value !== "")
			.map(({ name, value }) => [name, value]);
	const filled = given("path").reduce(
		(text, [name, value]) =>
			text.replace(`{${name}}`, () => encodeURIComponent(value)),
		path,
	);
	// The service reads a plus sign as a plus sign, so a space must not become one.
	const query = given("query").map(
		([name, value]) => `${name}=${encodeURIComponent(value)}`,
	);
	const [[, body] = []] = given("body");
	return {
		method,
		url: new URL(
			base + filled + (query.length > 0 ? `?${query.join("&")}` : ""),
		),
		headers: [
			...(key() !== "" && !("keyless" in form.dataset)
				? [["Authorization", `Bearer ${key()}`] as const]
				: []),
			...(body ? [["Content-Type", "application/json"] as const] : []),
			...given("header"),
		],
		body,
	};
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

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
		form.requestSubmit();
	});
	return [button];
}

/** The API key of the reader. Only this tab stores it. */
const keyField = document.querySelector<HTMLInputElement>("#key");

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
