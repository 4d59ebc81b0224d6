// The home page: what this is, whether it is ready, where to go on, and a first request.
import { versionPrefix } from "../contract/v1/operations.ts";
import { toTyped } from "../program.ts";
import type { Assets } from "./assets.ts";
import { type Html, html } from "./html.ts";
import { brand, type PageOptions, renderBase, renderLayout } from "./layout.ts";

export function renderHome(
	options: PageOptions,
	addressOf: Assets["addressOf"],
): Html {
	return renderLayout({
		title: "petstore",
		description: summary,
		name: "home",
		addressOf,
		body: html`<body>
<header class="bar">
	<a class="brand" href="./" aria-current="page">${brand}</a>
	<p class="state" role="status" data-state="unknown"><span>${"Readiness is not known"}</span></p>
</header>
<main class="home">
	<h1>The pet store, made real</h1>
	<p class="lead">${summary}</p>
	<ul class="cards">${links(options).map(renderCard)}</ul>
	<h2>First request</h2>
	${renderFirstRequest(options)}
</main>
<footer><p>Programs get this page as JSON: ask with <code>Accept: application/json</code>, or with no <code>Accept</code> at all.</p></footer>
</body>`,
	});
}

const summary =
	"A catalogue of animals over HTTP and JSON: list them, add one, get one. " +
	"It checks API keys, returns 64-bit integers with all their digits, and gives every error the same form.";

interface Link {
	readonly href: string;
	readonly title: string;
	readonly text: string;
}

function links({
	interfaces,
	hasConsole,
	sandbox,
}: PageOptions): readonly Link[] {
	return [
		{
			href: "docs",
			title: "Reference",
			text: "Every operation and every error, with snippets in several languages. Try each operation in the page.",
		},
		...(sandbox
			? [
					{
						href: "sandbox",
						title: "Sandbox",
						text: "Make requests fail, even after their commit. See what your client sent. Put the animals back.",
					},
				]
			: []),
		...(hasConsole
			? [
					{
						href: "console",
						title: "Console",
						text: "For people who run the catalogue: animals, API keys, traffic. It needs a key with the scope operator.",
					},
				]
			: []),
		...interfaces
			.filter(({ audience }) => audience === undefined)
			.map(({ path }) => ({
				href: path.slice(1),
				title: "OpenAPI document",
				text: "The same for generators, gateways and test tools.",
			})),
		{
			href: `${versionPrefix}/pets`.slice(1),
			title: "The interface",
			text: "The catalogue itself. It needs an API key, so a browser alone is shown a 401.",
		},
	];
}

function renderCard({ href, title, text }: Link): Html {
	return html`
		<li><a href="${href}"><strong>${title}</strong><code>/${href}</code></a><p>${text}</p></li>`;
}

function renderFirstRequest(options: PageOptions): Html {
	const { exampleKey } = options;
	const address = html`${renderBase(options)}${versionPrefix}/pets`;
	if (exampleKey !== undefined)
		return html`<p>The key <code>${exampleKey}</code> is valid here.</p>
	<pre class="code" tabindex="0"><code>curl -H "Authorization: Bearer ${exampleKey}" ${address}</code></pre>`;
	if (options.sandbox !== undefined)
		return html`<p>Put the key of the sandbox into the variable <code>KEY</code>, then list the animals:</p>
	<pre class="code" tabindex="0"><code>curl -H "Authorization: Bearer $KEY" ${address}</code></pre>`;
	return html`<p>The operator of the service creates API keys on the command line:</p>
	<pre class="code" tabindex="0"><code>${toTyped("keys create --name me")}</code></pre>
	<p>Put the key into the variable <code>KEY</code>, then list the animals:</p>
	<pre class="code" tabindex="0"><code>curl -H "Authorization: Bearer $KEY" ${address}</code></pre>`;
}
