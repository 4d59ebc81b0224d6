// The replies of an operation with their meanings, headers and examples; and the table of all errors.
import { errorMeanings } from "../../contract/error-meanings.ts";
import { type ErrorCode, errorStatus } from "../../domain/errors.ts";
import { type Html, highlight, html, type Part, prose } from "../html.ts";
import type { Chapter, ShownReply } from "./chapter.ts";
import { additionMark, renderType } from "./shape.ts";

export function renderReplies(replies: readonly ShownReply[]): Html {
	return html`<div class="replies">${replies.map(renderReply)}</div>`;
}

function renderReply(reply: ShownReply): Html {
	const { status, body, codes, description, isAddition } = reply;
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

function renderCode(code: ErrorCode): Html {
	return html`<p><code class="error-code">${code}</code> ${prose(errorMeanings[code])}</p>`;
}

function renderExample(example: unknown): Html {
	return html`<pre class="code" tabindex="0"><code>${highlight(JSON.stringify(example, null, 2))}</code></pre>`;
}

function renderHeaders({ headers }: ShownReply): Part {
	return (
		headers.length > 0 &&
		html`<p>Headers:</p><dl class="headers">${headers.map(
			([name, { description }]) =>
				html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
		)}</dl>`
	);
}

export function renderErrors(chapters: readonly Chapter[]): Html {
	const operations = chapters.flatMap((chapter) => chapter.operations);
	return html`
<section class="errors" id="errors" aria-labelledby="errors-title">
	<h2 id="errors-title">Errors</h2>
	<p>Every error has the same body: <code>code</code> for programs, <code>message</code> for people, and <code>status</code>, which repeats the HTTP status.</p>
	<div class="scroll" tabindex="0" role="region" aria-label="Table of errors"><table>
	<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Operations</th></tr></thead>
	<tbody>${Object.entries(errorStatus).map(([code, status]) => {
		const own = operations.filter(({ errors, furtherErrors }) =>
			[...errors, ...furtherErrors].some((one) => one === code),
		);
		return html`
	<tr><td><span class="status" data-class="${String(status)[0]}">${status}</span></td><td><code>${code}</code></td><td>${prose(meanings.get(code) ?? "")}</td><td>${
		own.length === 0
			? "Other requests"
			: own.map(({ id }) => html`<a href="#${id}">${id}</a> `)
	}</td></tr>`;
	})}</tbody>
	</table></div>
</section>`;
}

const meanings = new Map(Object.entries(errorMeanings));
