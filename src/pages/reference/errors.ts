// Every error code of the interfaces, with its status, its meaning and the operations that answer with it.
import { errorStatus } from "../../contract/errors.ts";
import { type Html, html } from "../html.ts";
import type { Chapter } from "./chapter.ts";
import { prose } from "./prose.ts";
import { codesOf, meaningOf } from "./replies.ts";

export function renderErrors(chapters: readonly Chapter[]): Html {
	const operations = chapters.flatMap((chapter) => chapter.operations);
	return html`
<section class="errors" id="errors" aria-labelledby="errors-title">
	<h2 id="errors-title">Errors</h2>
	<p>Every error has the same body: <code>code</code> for programs, <code>message</code> for people, and <code>status</code>, which repeats the HTTP status.</p>
	<div class="scroll" tabindex="0" role="region" aria-label="Table of errors"><table>
	<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Operations</th></tr></thead>
	<tbody>${Object.entries(errorStatus).map(([code, status]) =>
		renderRow(
			code,
			String(status),
			operations
				.filter(({ replies }) =>
					replies.some((reply) => codesOf(reply).includes(code)),
				)
				.map(({ id }) => id),
		),
	)}</tbody>
	</table></div>
</section>`;
}

function renderRow(code: string, status: string, ids: readonly string[]): Html {
	return html`
	<tr><td><span class="status" data-class="${status[0]}">${status}</span></td><td><code>${code}</code></td><td>${prose(meaningOf(code))}</td><td>${
		ids.length === 0
			? "Other requests"
			: ids.map((id) => html`<a href="#${id}">${id}</a> `)
	}</td></tr>`;
}
