// The pages of a service, and the files that they load.
import { resolve } from "node:path";
import { readDatabaseUrl } from "../store/database/database-url.ts";
import { readAssets, storeReply } from "./assets.ts";
import { pageHeaders } from "./headers.ts";
import { toHome } from "./home.ts";
import { html } from "./html.ts";
import { type Page, type PageOptions, renderPage } from "./layout.ts";
import { toReference } from "./reference/page.ts";

export type PageName = keyof typeof pages;
export type LoadedPages = ReturnType<typeof loadPages>;

const pages = {
	home: toHome,
	missing: ({ root = "" }: PageOptions): Page => ({
		name: "home",
		title: "Not found · petstore",
		root,
		own: html``,
		content: html`<main class="home"><h1>Not found</h1><p>This path does not exist. Begin at the <a href="${root}./">home page</a>, or read the <a href="${root}docs">reference</a>.</p></main>`,
	}),
	docs: toReference,
	"docs/operator": toReference,
	console: (options: PageOptions) => ({
		...toApp("console", "Console", {
			"example-key": options.exampleKey,
			"link-command": toLinkCommand(options),
		}),
		own: html`<div class="rest"></div>`,
	}),
	sandbox: ({ exampleKey, sandbox }: PageOptions) =>
		toApp("sandbox", "Sandbox", {
			"example-key": exampleKey,
			"rule-fields": JSON.stringify(sandbox?.ruleFields),
		}),
};

/** The files of the pages, and a function that renders a page of a service. */
export async function loadPages() {
	const { addressOf, replies } = await readAssets();
	return {
		assets: replies,
		render: (name: PageName, options: PageOptions) =>
			storeReply(
				renderPage(options, addressOf, pages[name](options, name)).text,
				"text/html; charset=utf-8",
				pageHeaders,
			),
	};
}

/** A page that its script fills (console/console.tsx, sandbox/sandbox.tsx). */
function toApp(
	name: Page["name"],
	title: string,
	data: NonNullable<Page["data"]>,
): Page {
	return {
		title: `${title} · petstore`,
		...{ name, data },
		content: html`<div class="console"><main class="view"><h1>${title}</h1><p class="waiting">Loading …</p><noscript><p>This page needs JavaScript.</p></noscript></main></div>`,
	};
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
