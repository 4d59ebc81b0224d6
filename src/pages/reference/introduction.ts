// The start of a document's chapter: what the interface is, where it is, and how a caller authenticates.
import { type Html, html } from "../html.ts";
import { type PageOptions, renderBase } from "../layout.ts";
import type { Chapter } from "./chapter.ts";
import { toAuthenticationId, toIntroductionId } from "./contents.ts";
import { prose } from "./prose.ts";

export function renderIntroduction(
	chapter: Chapter,
	options: PageOptions,
): Html {
	const { title, version, summary, description, path, prefix } = chapter;
	const introduction = toIntroductionId(prefix);
	const authentication = toAuthenticationId(prefix);
	const { exampleKey } = options;
	const base = html`${renderBase(options)}${prefix}`;
	return html`
<section class="introduction" id="${introduction}" aria-labelledby="${introduction}-title">
	<h1 id="${introduction}-title">${title} <span class="version">${version}</span></h1>
	<p class="lead">${summary}</p>
	<dl class="facts"><div><dt>Base address</dt><dd><code>${base}</code></dd></div><div><dt>OpenAPI document</dt><dd><a href="${path.slice(1)}">${path}</a></dd></div></dl>
	<p>${prose(description)}</p>
</section>
<section class="introduction" id="${authentication}" aria-labelledby="${authentication}-title ${introduction}-title">
	<h2 id="${authentication}-title">Authentication</h2>
	<p>${prose(chapter.authentication)}</p>
	<p>Every request carries the key in a header:</p>
	<pre class="code" tabindex="0"><code>Authorization: Bearer ${exampleKey ?? "<API_KEY>"}</code></pre>
	<p>${
		exampleKey === undefined
			? "Enter your key at the top of this page to try the operations."
			: html`The key <code>${exampleKey}</code> is valid here, and is entered already.`
	} It stays in this tab, and goes to this service only.</p>
</section>`;
}
