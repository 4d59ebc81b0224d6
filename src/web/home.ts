// The home page: a summary, links, and a first request.
import { versionPrefix } from "../v1/operation.ts";
import { type Html, html } from "./html.ts";
import {
	copyButton,
	type Page,
	type PageOptions,
	renderBase,
} from "./layout.ts";

export function toHome(options: PageOptions): Page {
	const { hasConsole, sandbox, exampleKey } = options;
	const signIn = exampleKey
		? `The key ${exampleKey} signs in.`
		: "It needs a key with the scope operator.";
	return {
		title: "petstore",
		name: "home",
		content: html`<main class="home">
	<h1>The pet store, made real</h1>
	<p class="lead">A catalogue of animals over HTTP and JSON: list them, add one, get one. It checks API keys, returns 64-bit integers with all their digits, and gives every error the same form.</p>
	<p class="row"><span role="status"></span></p>
	<ul class="cards">
		${renderCard("docs", "Reference", "Every operation and every error, with snippets in several languages. Try each operation in the page.")}
		${sandbox && renderCard("sandbox", "Sandbox", "Make requests fail, even after their commit. See what your client sent. Reset animals, faults and recorded requests.")}
		${hasConsole && renderCard("console", "Console", `For people who run the catalogue: animals, API keys, backups. ${signIn}`)}
		${renderCard("openapi.json", "OpenAPI document", "The reference as a file, for generators, gateways and test tools.")}
	</ul>
	<h2>First request</h2>
	${renderFirstRequest(options)}
</main>
<footer class="hint"><p>Programs get JSON here: send <code>Accept: application/json</code>, or no <code>Accept</code>.</p></footer>`,
	};
}

function renderCard(href: string, title: string, text: string): Html {
	return html`<li class="panel"><a href="${href}"><strong>${title}</strong><code>/${href}</code></a><p>${text}</p></li>`;
}

function renderFirstRequest(options: PageOptions): Html {
	const { exampleKey } = options;
	const address = html`${renderBase(options)}${versionPrefix}/pets`;
	const authorization = html`-H "Authorization: Bearer ${exampleKey ?? "$KEY"}"`;
	return html`<p>${
		exampleKey === undefined
			? html`Put your API key into the variable <code>KEY</code>, then list the animals:`
			: html`The key <code>${exampleKey}</code> is valid here. List the animals:`
	}</p>
	${renderCode(html`curl ${authorization} ${address}`)}
	<p>Add one:</p>
	${renderCode(html`curl ${authorization} -H "Content-Type: application/json" -d '{"name": "Rex", "categoryId": 1}' ${address}`)}`;
}

function renderCode(code: Html): Html {
	return html`<pre class="code" tabindex="0"><code>${code}</code></pre>${copyButton}`;
}
