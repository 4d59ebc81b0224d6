// The replies of an operation with their meanings, headers and examples; the lists of all headers and all errors.
import { errorCodes, errorStatus } from "../../domain/errors.ts";
import { errorMeanings } from "../../interface/errors.ts";
import { type Html, highlight, html, prose } from "../html.ts";
import type { Chapter, ShownReply } from "./chapter.ts";
import { additionMark, renderMembers, renderType } from "./schema.ts";

export function renderReply(reply: ShownReply): Html {
	const { status, body, codes, description, isAddition } = reply;
	const meanings = codes.map(
		(code) =>
			html`<p><code class="error-code">${code}</code> ${prose(errorMeanings[code])}</p>`,
	);
	const example =
		body?.example !== undefined &&
		highlight(JSON.stringify(body.example, null, 2));
	// The section on errors describes theirs.
	const members = body && codes.length === 0 && renderMembers(body.schema);
	const headers = Object.keys(reply.headers).map(
		(name) => html`<a href="#headers"><code>${name}</code></a> `,
	);
	return html`
<details>
	<summary>${renderStatus(status)}<span class="meaning">${codes.length > 0 ? meanings : html`<p>${prose(description)}</p>`}</span></summary>
	<div class="detail">${isAddition && html`<p>${additionMark}</p>`}${body && html`<p>Body: ${renderType(body.schema)}</p>`}${members}
	${example && html`<pre class="code"><code>${example}</code></pre>`}
	${headers.length > 0 && html`<p>Headers: ${headers}</p>`}</div>
</details>`;
}

/** Most replies have the same headers, so they are described once. */
export function renderAllHeaders({ operations }: Chapter): Html {
	const replies = operations.flatMap(({ replies }) => replies);
	const headers = new Map(
		replies.flatMap(({ headers }) => Object.entries(headers)),
	);
	const entries = [...headers].map(
		([name, description]) =>
			html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`,
	);
	return html`
<section class="listing" id="headers" aria-labelledby="headers-title">
	<h2 id="headers-title">Headers of replies</h2>
	<dl class="members">${entries}</dl>
</section>`;
}

export function renderErrors({ error }: Chapter): Html {
	return html`
<section class="listing" id="errors" aria-labelledby="errors-title">
	<h2 id="errors-title">Errors</h2>
	<p>Every error has the same body:</p>
	${renderMembers(error.schema)}
	<p>Its codes:</p>
	<dl class="members">${errorCodes.map(
		(code) => html`
	<div><dt>${renderStatus(errorStatus[code])}<code>${code}</code></dt><dd>${prose(errorMeanings[code])}</dd></div>`,
	)}</dl>
</section>`;
}

function renderStatus(status: number): Html {
	return html`<span class="badge" data-is="${status}">${status}</span>`;
}
