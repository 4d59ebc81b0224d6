// Shows a request as it was sent and its reply as it was received.
import { element } from "./elements.ts";
import { toTokens } from "./json-text.ts";
import type { ReceivedReply, SentRequest } from "./request.ts";

export function showReply(
	request: SentRequest,
	{ response, text, ms }: ReceivedReply,
): readonly Node[] {
	const { status, statusText, headers } = response;
	const badge = element("span", "status", String(status));
	badge.dataset.class = String(status).slice(0, 1);
	const size = new TextEncoder().encode(text).length;
	const figures = `${ms.toFixed(0)} ms, ${size.toLocaleString("en")} bytes`;
	return [
		element(
			"p",
			"outcome",
			badge,
			element("strong", "", statusText),
			element("span", "figures", figures),
		),
		...(text === "" ? [] : [block("Reply body", toBody(text))]),
		block("Reply headers", toLines([...headers])),
		showRequest(request),
	];
}

export function showNetworkFailure(request: SentRequest): readonly Node[] {
	return [
		element(
			"p",
			"outcome failed",
			element("strong", "", "No reply. "),
			"The service could not be reached, or the connection broke. If this was an add, it may have been done.",
		),
		showRequest(request),
	];
}

function showRequest({ method, url, headers, body }: SentRequest): Node {
	const head = `${method} ${url.pathname}${url.search}\n${toLines(headers)}`;
	return block(
		"Request as sent",
		body === undefined ? head : `${head}\n\n${body}`,
	);
}

function block(title: string, ...content: (Node | string)[]): Node {
	const pre = element("pre", "code", element("code", "", ...content));
	// What scrolls must be within reach of the keyboard.
	pre.tabIndex = 0;
	return element("section", "", element("h4", "", title), pre);
}

function toBody(text: string): Node {
	const tokens = toTokens(text).map((token) =>
		element("span", token.kind, token.text),
	);
	return element("span", "", ...tokens);
}

function toLines(headers: SentRequest["headers"]): string {
	return headers.map(([name, value]) => `${name}: ${mask(value)}`).join("\n");
}

/** The part of a key that the service itself shows in its lists; the rest must not be on a screen that others see. */
function mask(value: string): string {
	return value.replace(/^(Bearer .{8}).+/, "$1…");
}
