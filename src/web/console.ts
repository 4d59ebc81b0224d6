// The page of the console: the frame that its script (console/console.tsx) fills.
import { v1 } from "../contract/v1/interface.ts";
import { toTyped } from "../program.ts";
import type { AddressOf } from "./assets.ts";
import { type Html, html } from "./html.ts";
import {
	brand,
	type PageOptions,
	renderLayout,
	renderPages,
	themeMenu,
} from "./layout.ts";

export function renderConsole(
	options: PageOptions,
	addressOf: AddressOf,
): Html {
	const { exampleKey } = options;
	const { deprecated, sunset } = findDeprecated();
	return renderLayout({
		title: "Console · petstore",
		description:
			"For people who run the catalogue: animals, API keys, traffic.",
		name: "console",
		addressOf,
		body: html`<body data-operations="${Object.keys(v1.operations).join(" ")}" data-deprecated="${deprecated}" data-sunset="${sunset}" data-example-key="${exampleKey ?? ""}" data-link-command="${toTyped("console")}" data-backup-command="${toTyped("backup")}">
<header class="bar">
	<a class="brand" href="./">${brand}</a>
	<div class="rest"></div>
	${renderPages(options, "console")}
	${themeMenu}
</header>
<div class="console"><main class="view"><h1>Console</h1><p class="waiting">Loading …</p><noscript><p>The console needs JavaScript.</p></noscript></main></div>
</body>`,
	});
}

function findDeprecated(): { deprecated: string; sunset: string } {
	for (const [name, { deprecation }] of Object.entries(v1.operations))
		if (deprecation !== undefined)
			return { deprecated: name, sunset: deprecation.sunset.toISOString() };
	return { deprecated: "", sunset: "" };
}
