// Renders the pages, and reads their files.
import { resolve } from "node:path";
import { readDatabaseUrl } from "../store/database-url.ts";
import { type AddressOf, readAssets, storeReply } from "./assets.ts";
import { pageHeaders } from "./headers.ts";
import { renderHome } from "./home.ts";
import { type Html, html } from "./html.ts";
import { type PageOptions, renderPage } from "./layout.ts";
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

function renderConsole(options: PageOptions, addressOf: AddressOf): Html {
	return renderPage(options, addressOf, {
		title: "Console · petstore",
		name: "console",
		data: {
			"example-key": options.exampleKey,
			"link-command": toLinkCommand(options),
		},
		own: html`<div class="rest"></div>`,
		content: renderFrame("Console"),
	});
}

function renderSandbox(options: PageOptions, addressOf: AddressOf): Html {
	return renderPage(options, addressOf, {
		title: "Sandbox · petstore",
		name: "sandbox",
		data: {
			"example-key": options.exampleKey,
			"rule-fields": JSON.stringify(options.sandbox?.ruleFields),
		},
		content: renderFrame("Sandbox"),
	});
}

/** Their scripts fill it (console/console.tsx, sandbox/sandbox.tsx). */
function renderFrame(title: string): Html {
	return html`<div class="console"><main class="view"><h1>${title}</h1><p class="waiting">Loading …</p><noscript><p>This page needs JavaScript.</p></noscript></main></div>`;
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
