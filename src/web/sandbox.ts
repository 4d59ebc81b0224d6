// The page of the sandbox: the frame that its script (sandbox/sandbox.tsx) fills.
import type { AddressOf } from "./assets.ts";
import { type Html, html } from "./html.ts";
import {
	brand,
	type PageOptions,
	renderLayout,
	renderPages,
	themeMenu,
} from "./layout.ts";

export function renderSandbox(
	options: PageOptions,
	addressOf: AddressOf,
): Html {
	const { sandbox, exampleKey } = options;
	const ruleFields = JSON.stringify(sandbox?.ruleFields ?? []);
	return renderLayout({
		title: "Sandbox · petstore",
		description:
			"For people who build clients: make requests fail, and see what the client sent.",
		name: "sandbox",
		addressOf,
		body: html`<body data-rule-fields="${ruleFields}" data-needs-key="${String(sandbox?.needsKey)}" data-example-key="${exampleKey ?? ""}">
<header class="bar">
	<a class="brand" href="./">${brand}</a>
	${renderPages(options, "sandbox")}
	${themeMenu}
</header>
<div class="console"><main class="view"><h1>Sandbox</h1><p class="waiting">Loading …</p><noscript><p>This page needs JavaScript. The <a href="docs">reference</a> has the same as requests.</p></noscript></main></div>
</body>`,
	});
}
