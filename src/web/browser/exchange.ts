// Shows a request as it was sent and its reply as it was received.
import { toTokens } from "./json-text.ts";
import type { Pairs, ReceivedReply, SentRequest } from "./request.ts";

export interface Shown {
	/** One line, which screen readers announce. */
	readonly outcome: readonly (Node | string)[];
	readonly blocks: readonly Node[];
}

export function showReply(
	request: SentRequest,
	{ response, text, bytes, ms }: ReceivedReply,
): Shown {
	const { status, statusText, headers } = response;
	const badge = element("span", "status", String(status));
	badge.dataset.class = String(status).slice(0, 1);
	const figures = `${ms.toFixed(0)} ms, ${bytes.toLocaleString("en")} bytes`;
	return {
		outcome: [
			badge,
			element("strong", "", statusText),
			element("span", "figures", figures),
		],
		blocks: [
			...(bytes === 0 ? [] : [block("Reply body", ...toBody(text))]),
			block("Reply headers", toLines([...headers])),
			showRequest(request),
		],
	};
}

export function showNetworkFailure(request: SentRequest): Shown {
	const { method } = request;
	const text = `The service could not be reached, or the connection broke.${
		method === "GET" ? "" : " The request may have been done."
	}`;
	return {
		outcome: [toFailure("No reply.", text)],
		blocks: [showRequest(request)],
	};
}

export function showUnsendable(): Shown {
	const text =
		"The API key or a header has a character that HTTP does not allow.";
	return { outcome: [toFailure("Not sent.", text)], blocks: [] };
}

function toFailure(title: string, text: string): Node {
	return element("span", "failed", element("strong", "", title), ` ${text}`);
}

function showRequest({ method, url, headers, body }: SentRequest): Node {
	const lines = toLines(
		headers.map(([name, value]) => [name, maskKey(name, value)]),
	);
	const head = `${method} ${url.pathname}${url.search}\n${lines}`;
	const content = body === undefined ? head : `${head}\n\n${body}`;
	return block("Request as sent", content);
}

function block(title: string, ...content: readonly (Node | string)[]): Node {
	const pre = element("pre", "code", element("code", "", ...content));
	// What scrolls must be within reach of the keyboard.
	pre.tabIndex = 0;
	return element("section", "", element("h4", "", title), pre);
}

function toBody(text: string | undefined): readonly (Node | string)[] {
	if (text === undefined) return ["A file, which is not shown."];
	return toTokens(text).map((token) => element("span", token.kind, token.text));
}

function toLines(headers: Pairs): string {
	return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

/** The part of a key that the service itself shows in its lists. The rest must not be on a screen that others see. */
function maskKey(name: string, value: string): string {
	return name === "Authorization"
		? value.replace(/^(Bearer .{8}).+/, "$1…")
		: value;
}

/** A new element. Texts become text nodes, so that nothing of a reply becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	className: string,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const created = document.createElement(name);
	if (className !== "") created.className = className;
	created.append(...children);
	return created;
}
