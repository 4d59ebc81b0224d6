// Shows a request as it was sent and its reply as it was received.
import { toQuantity } from "../../domain/quantity.ts";
import type { Token } from "../code-tokens.ts";
import { toTokens } from "./json-text.ts";
import { hideKey } from "./key.ts";

export interface SentRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
}

/** `ms` is the time until the whole reply had arrived. */
export function showReply(
	request: SentRequest,
	{ status, statusText, headers }: Response,
	bytes: ArrayBuffer,
	ms: number,
) {
	const badge = element("span", "status", String(status));
	badge.dataset.class = String(status).slice(0, 1);
	const length = bytes.byteLength;
	const figures = `${ms.toFixed(0)} ms, ${toQuantity(length, "byte")}`;
	const isText = /^text\/|json/.test(headers.get("Content-Type") ?? "text/");
	const body = isText
		? toTokens(new TextDecoder().decode(bytes)).map(toNode)
		: ["The body is a file and is not shown."];
	return {
		/** One line, which screen readers announce. */
		outcome: [
			badge,
			element("strong", "", statusText),
			element("span", "figures", figures),
		],
		blocks: [
			...(length === 0 ? [] : [block("Reply body", ...body)]),
			block("Reply headers", toLines([...headers])),
			showRequest(request),
		],
	};
}

export function showFailure(title: string, text: string): Node {
	return element("span", "failed", element("strong", "", title), ` ${text}`);
}

export function showRequest({ method, url, headers, body }: SentRequest): Node {
	const lines = hideKey(toLines(Object.entries(headers)));
	const head = `${method} ${url.pathname}${url.search}\n${lines}`;
	const content = body === undefined ? head : `${head}\n\n${body}`;
	return block("Request as sent", content);
}

function block(title: string, ...content: readonly (Node | string)[]): Node {
	const pre = element("pre", "code", element("code", "", ...content));
	// The keyboard must reach everything that scrolls.
	pre.tabIndex = 0;
	return element("section", "", element("h4", "", title), pre);
}

function toLines(headers: readonly (readonly string[])[]): string {
	return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}

export function toNode({ kind, text }: Token): Node | string {
	return kind === undefined ? text : element("span", kind, text);
}

/** Texts become text nodes, so that no part of a reply becomes markup. */
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
