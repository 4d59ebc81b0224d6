// The replies of an operation: what each status means, its headers and its examples.
import { errorMeanings } from "../../contract/error-meanings.ts";
import { type Html, html, type Part } from "../html.ts";
import type { OperationReply } from "../openapi/operations.ts";
import { textAt, toJsonText } from "../openapi/values.ts";
import { highlight } from "../snippets/highlight.ts";
import { prose } from "./prose.ts";
import { additionMark, renderType } from "./shapes.ts";

export function renderReplies(replies: readonly OperationReply[]): Html {
	return html`<div class="replies">${replies.map(renderReply)}</div>`;
}

function renderReply(reply: OperationReply): Html {
	const { status, body, description, isAddition } = reply;
	const codes = codesOf(reply);
	const meaning =
		codes.length === 0
			? html`<p>${prose(description)}</p>`
			: codes.map(renderCode);
	return html`
<details>
	<summary><span class="status" data-class="${status[0]}">${status}</span><span class="meaning">${meaning}</span></summary>
	<div class="detail">${isAddition && html`<p>${additionMark}</p>`}${body !== undefined && html`<p>Body: ${renderType(body.shape)}</p>`}
	${body?.examples.map(renderExample)}
	${renderHeaders(reply)}</div>
</details>`;
}

function renderCode(code: string): Html {
	return html`<p><code class="error-code">${code}</code> ${prose(meaningOf(code))}</p>`;
}

/** Empty for a code that is not one of ours. */
export function meaningOf(code: string): string {
	return textAt(errorMeanings, code);
}

/** The error codes that the examples of a reply have. */
export function codesOf({ body }: OperationReply): readonly string[] {
	const codes = body?.examples.map((example) => textAt(example, "code")) ?? [];
	return [...new Set(codes)].filter((code) => meaningOf(code) !== "");
}

function renderExample(example: unknown): Html {
	return html`<pre class="code" tabindex="0"><code>${highlight(toJsonText(example, "  "))}</code></pre>`;
}

function renderHeaders({ headers }: OperationReply): Part {
	return (
		headers.length > 0 &&
		html`<p>Headers:</p><dl class="headers">${headers.map(
			({ name, description }) =>
				html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
		)}</dl>`
	);
}
