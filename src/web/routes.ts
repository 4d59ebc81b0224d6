// The routes for browsers: home page, reference, console, sandbox page, and their assets. At `/`, programs get JSON. Their modules are
// loaded at the first request, to keep the start short.

import { hasLocalHost } from "../auth/site.ts";
import { Failure } from "../domain/errors.ts";
import { isLoopback } from "../http/address.ts";
import { jsonHeaders, type Reply } from "../http/reply.ts";
import { splitUrl } from "../http/router.ts";
import type { Call, Route } from "../http/surface.ts";
import { operator } from "../operator/interface.ts";
import { v1 } from "../v1/interface.ts";
import { interfaceVersion, versionPrefix } from "../v1/operation.ts";
import type { StoredReply } from "./assets.ts";
import { pageHeaders } from "./headers.ts";
import type { PageOptions } from "./layout.ts";
import type { LoadedPages, PageName } from "./pages.ts";

/** All but the address of the listener, which is known at the first request. */
type FixedOptions = Omit<PageOptions, "listenUrl">;

let loaded: LoadedPages | undefined;

/** The modules of the pages and their files. All pages of a process share them, since compressing takes time. */
function load(): LoadedPages {
	loaded ??= import("./pages.ts")
		.then((pages) => pages.loadPages())
		.catch((error) => {
			// The next request may find the files, or a descriptor to read them.
			loaded = undefined;
			throw error;
		});
	return loaded;
}

export function createPages(
	common: Pick<FixedOptions, "database" | "baseUrl" | "sandbox">,
	/** Whether the operator interface is at the same address. */
	hasOperator: boolean,
) {
	const options: FixedOptions = {
		...common,
		exampleKey: common.sandbox?.shownKey,
		interfaces: hasOperator ? [v1, operator] : [v1],
		hasConsole: hasOperator,
	};
	/** Rendered at their first requests. */
	const stored = new Map<string, Promise<StoredReply>>();
	async function answer(
		name: PageName,
		{ request, source }: Call,
		root = "",
	): Promise<Reply> {
		const { render } = await load();
		const isLocal =
			hasLocalHost(request) && isLoopback(source.clientOf(request) ?? "");
		const page = stored.getOrInsertComputed(`${name} ${isLocal} ${root}`, () =>
			render(name, { ...options, isLocal, root, listenUrl: source.url() }),
		);
		return (await page)(request);
	}
	/** A person gets a page, a program JSON. */
	async function answerMissing(call: Call): Promise<Reply> {
		const depth = splitUrl(call.request.url).path.split("/").length - 2;
		if (!isRead(call) || !isForBrowser(call) || depth > maxDepth) throw missing;
		const reply = await answer("missing", call, "../".repeat(depth));
		// Its ETag would make it a 304.
		const { ETag: _, ...own } = reply.own ?? {};
		return { ...reply, status: 404, own, logged: { code: missing.code } };
	}
	const toPage = (name: PageName, path = `/${name}`) =>
		toRoute(path, (call) => answer(name, call));
	const index = toIndex(options);
	const routes = [
		toRoute("/", (call) => (isForBrowser(call) ? answer("home", call) : index)),
		toPage("docs"),
		...(hasOperator ? [toPage("docs/operator"), toPage("console")] : []),
		toRoute("/assets/{name}", async ({ request, segment }) => {
			const reply = (await load()).assets.get(segment);
			if (reply !== undefined) return reply(request);
			throw missing;
		}),
	];
	return {
		routes,
		answerMissing,
		/** For the surface of the sandbox, which adds the prefix. */
		sandbox: toPage("sandbox", ""),
	};
}

function isForBrowser({ request }: Call): boolean {
	return request.headers.get("accept")?.includes("text/html") ?? false;
}

function isRead({ method }: Call): boolean {
	return method === "GET" || method === "HEAD";
}

/** The page is stored once for each depth. */
const maxDepth = 8;

const missing = new Failure("not_found", "This path does not exist.", {
	headers: { Vary: "Accept" },
});

function toRoute(path: string, handle: Route["handle"]): Route {
	return { method: "GET", path, headers: pageHeaders, handle };
}

/** What programs get at `/`. */
function toIndex({ hasConsole, sandbox }: FixedOptions): Reply {
	const body = JSON.stringify({
		service: "petstore",
		version: interfaceVersion,
		pets: `${versionPrefix}/pets`,
		openapi: "/openapi.json",
		docs: "/docs",
		...(hasConsole && { console: "/console" }),
		...(sandbox && { sandbox: "/sandbox" }),
		health: "/healthz",
		readiness: "/readyz",
	});
	const own = { "Cache-Control": "no-cache", Vary: "Accept" };
	return { headers: jsonHeaders, own, body };
}
