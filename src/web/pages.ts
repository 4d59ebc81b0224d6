// Renders and stores each page at its first request.
import type { Reply } from "../http/reply.ts";
import { readAssets, storeReply } from "./assets.ts";
import { renderConsole } from "./console.ts";
import { pageHeaders } from "./headers.ts";
import { renderHome } from "./home.ts";
import type { PageOptions } from "./layout.ts";
import { renderReference } from "./reference/page.ts";
import { renderSandbox } from "./sandbox.ts";

export type PageName = keyof typeof renderers;

const renderers = {
	home: renderHome,
	docs: renderReference,
	"docs/operator": renderReference,
	"docs/sandbox": renderReference,
	console: renderConsole,
	sandbox: renderSandbox,
};

/** Answers with a page of one service. */
export type AnswerPage = (name: PageName, request: Request) => Promise<Reply>;

/** The files of the pages, and a function that answers with the pages of a service. */
export async function loadPages() {
	const { addressOf, replies } = await readAssets();
	return {
		assets: replies,
		open(options: PageOptions): AnswerPage {
			const stored: Partial<Record<PageName, ReturnType<typeof storeReply>>> =
				{};
			return async (name, request) => {
				stored[name] ??= storeReply(
					renderers[name](options, addressOf, name).text,
					"text/html; charset=utf-8",
					pageHeaders,
					name === "home" ? "Accept, Accept-Encoding" : undefined,
				);
				return (await stored[name])(request);
			};
		},
	};
}
