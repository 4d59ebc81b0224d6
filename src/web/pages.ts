// Renders the pages, and reads their files.
import { readAssets, storeReply } from "./assets.ts";
import { renderConsole, renderSandbox } from "./frames.ts";
import { pageHeaders } from "./headers.ts";
import { renderHome } from "./home.ts";
import type { PageOptions } from "./layout.ts";
import { renderReference } from "./reference/page.ts";

export type PageName = keyof typeof renderers;

const renderers = {
	home: renderHome,
	docs: renderReference,
	"docs/operator": renderReference,
	"docs/sandbox": renderReference,
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
				name === "home" ? "Accept, Accept-Encoding" : undefined,
			),
	};
}
