// The reference page, rendered from the OpenAPI documents that the service serves. It can be read without its script.
import type { Assets } from "../assets.ts";
import { type Html, html } from "../html.ts";
import { brand, type PageOptions, renderLayout } from "../layout.ts";
import type { NamedShape } from "../openapi/schemas.ts";
import { type Chapter, readChapters } from "./chapter.ts";
import { renderContents } from "./contents.ts";
import { renderErrors } from "./errors.ts";
import { renderIntroduction } from "./introduction.ts";
import { renderOperation } from "./operation.ts";
import { prose } from "./prose.ts";
import { renderMembers, renderRules } from "./shapes.ts";

export function renderReference(
	options: PageOptions,
	addressOf: Assets["addressOf"],
): Html {
	const chapters = readChapters(options);
	const [first] = chapters;
	return renderLayout({
		title: "Reference · petstore",
		description: first?.summary ?? "",
		name: "reference",
		addressOf,
		body: html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
	<a class="brand" href="./">${brand}</a>
	${renderKey(options)}
</header>
<div class="columns">
${renderContents(chapters)}
<main id="content" tabindex="-1">
${chapters.map((chapter) => renderChapter(chapter, options))}
${renderErrors(chapters)}
</main>
</div>
</body>`,
	});
}

/** The key is never part of the page. The script stores it for the tab alone (browser/api-key.ts). */
function renderKey({ exampleKey }: PageOptions): Html {
	return html`<div class="key"><label for="key">API key</label><input id="key" placeholder="pet_…" autocomplete="off" autocapitalize="off" spellcheck="false"${
		exampleKey !== undefined && html` data-example="${exampleKey}"`
	}></div>`;
}

function renderChapter(chapter: Chapter, options: PageOptions): Html {
	const { operations, schemas, prefix } = chapter;
	return html`${renderIntroduction(chapter, options)}
${operations.map((operation) => renderOperation(operation, prefix, options))}
<section class="schemas" aria-label="Schemas of ${chapter.title}">
	<h2>Schemas</h2>
	<div class="grid">${schemas.map(renderSchema)}</div>
</section>`;
}

function renderSchema({ name, shape }: NamedShape): Html {
	return html`
	<article id="schema-${name}" aria-labelledby="schema-${name}-title">
		<h3 id="schema-${name}-title"><code>${name}</code><span class="type">${shape.type}</span></h3>
		${shape.description !== "" && html`<p>${prose(shape.description)}</p>`}
		${renderRules(shape)}${renderMembers(shape.members)}
	</article>`;
}
