// Renders the pages, and reads their files.
import { resolve } from "node:path";
import { readDatabaseUrl } from "../store/database-url.ts";
import { type AddressOf, readAssets, storeReply } from "./assets.ts";
import { pageHeaders } from "./headers.ts";
import { renderHome } from "./home.ts";
import { type Html, html } from "./html.ts";
import { type PageOptions, renderBar, renderLayout } from "./layout.ts";
import { renderReference } from "./reference/page.ts";

export type PageName = keyof typeof renderers;
export type LoadedPages = ReturnType<typeof loadPages>;

const renderers = {
	home: renderHome,
	docs: renderReference,
	"docs/operator": renderReference,
	console: renderConsole,
	sandbox: renderSandbox,
};

/** The files of the pages, and a function that renders a page of a service. */
export async function loadPages() {
	const { addressOf, replies } = await readAssets();
	return {
		assets: replies,
		render: (name: PageName, options: PageOptions) =>
			storeReply(
				renderers[name](options, addressOf, name).text,
				"text/html; charset=utf-8",
				pageHeaders,
			),
	};
}

/** The pages of the console and of the sandbox are frames that their scripts fill (console/console.tsx, sandbox/sandbox.tsx). */
function renderConsole(options: PageOptions, addressOf: AddressOf): Html {
	return renderLayout({
		title: "Console · petstore",
		description:
			"For people who run the catalogue: animals, API keys, backups.",
		name: "console",
		addressOf,
		body: html`<body data-example-key="${options.exampleKey}" data-link-command="${toLinkCommand(options)}">
${renderBar(options, "console", { own: html`<div class="rest"></div>` })}
${renderFrame("Console", html`The console needs JavaScript.`)}
</body>`,
	});
}

/** The command that makes a sign-in link, with the flags that this service needs. Only its own machine sees them. */
function toLinkCommand({ database, listenUrl, isLocal }: PageOptions): string {
	if (!isLocal) return "petstore console";
	const { file } = readDatabaseUrl(database);
	// The URL of PostgreSQL may have a password.
	const text = file === undefined ? "" : `sqlite:${resolve(file)}`;
	const quoted = /^[\w:/.-]+$/.test(text)
		? text
		: `'${text.replaceAll("'", "'\\''")}'`;
	return `petstore console --database ${text ? quoted : '"$PETSTORE_DATABASE"'} --url ${listenUrl}`;
}

function renderSandbox(options: PageOptions, addressOf: AddressOf): Html {
	const { sandbox, exampleKey } = options;
	return renderLayout({
		title: "Sandbox · petstore",
		description:
			"For people who build clients: make requests fail, and see what the client sent.",
		name: "sandbox",
		addressOf,
		body: html`<body data-rule-fields="${JSON.stringify(sandbox?.ruleFields)}" data-example-key="${exampleKey}">
${renderBar(options, "sandbox")}
${renderFrame("Sandbox", html`This page needs JavaScript.`)}
</body>`,
	});
}

function renderFrame(title: string, withoutScript: Html): Html {
	return html`<div class="console"><main class="view"><h1>${title}</h1><p class="waiting">Loading …</p><noscript><p>${withoutScript}</p></noscript></main></div>`;
}
