// The routes for browsers: the home page at `/`, where programs get JSON, the reference at `/docs`, the console, the page of the sandbox, and their assets.
// Pages are rendered when they are first asked for, and stored. The modules for it are loaded then too: at the start they would
// cost several milliseconds.

import { httpStatus } from "../contract/operation.ts";
import { interfaceVersion, versionPrefix } from "../contract/v1/operations.ts";
import { Failure } from "../domain/errors.ts";
import { prefersHtml } from "../http/negotiation.ts";
import {
	isMatched,
	jsonHeaders,
	type Reply,
	toNotModified,
	toTag,
} from "../http/reply.ts";
import type { Route } from "../http/surface.ts";
import type { Assets } from "./assets.ts";
import { assetErrorHeaders, pageHeaders } from "./headers.ts";
import type { Html } from "./html.ts";
import type { PageOptions } from "./layout.ts";

export interface Pages {
	readonly routes: readonly Route[];
	/** For the surface of the sandbox, below whose prefix it is. */
	readonly sandbox: Route | undefined;
}

export type ReadAssets = () => Promise<Assets>;

/** Reads the files of the pages when the first is asked for. Compressing them takes a second, so all pages of a process share them. */
export function createAssets(): ReadAssets {
	return once(async () => (await import("./assets.ts")).readAssets());
}

export function createPages(options: PageOptions, assets: ReadAssets): Pages {
	const toPage = (render: Render, vary: readonly string[] = []) =>
		once(async () => {
			const { storeReply } = await import("./stored-reply.ts");
			const { text } = await render((await assets()).addressOf);
			const mediaType = "text/html; charset=utf-8";
			return storeReply({ body: text, mediaType, headers: pageHeaders, vary });
		});
	const home = toPage(
		async (addressOf) =>
			(await import("./home.ts")).renderHome(options, addressOf),
		["Accept"],
	);
	const reference = toPage(async (addressOf) =>
		(await import("./reference/page.ts")).renderReference(options, addressOf),
	);
	const console = toPage(async (addressOf) =>
		(await import("./console.ts")).renderConsole(options, addressOf),
	);
	const sandbox = toPage(async (addressOf) =>
		(await import("./sandbox.ts")).renderSandbox(options, addressOf),
	);
	const routes = [
		toRoute("/", async ({ request }) =>
			prefersHtml(request) ? (await home())(request) : toIndex(request),
		),
		toRoute("/docs", async ({ request }) => (await reference())(request)),
		...(options.hasConsole
			? [toRoute("/console", async ({ request }) => (await console())(request))]
			: []),
		{
			...toRoute("/assets/{name}", async ({ request, segment }) => {
				const reply = (await assets()).replies.get(segment);
				if (reply !== undefined) return reply(request);
				throw new Failure("not_found", "There is nothing at this path.");
			}),
			headers: assetErrorHeaders,
		},
	];
	return {
		routes,
		sandbox:
			options.sandbox &&
			toRoute("", async ({ request }) => (await sandbox())(request)),
	};
}

type Render = (addressOf: Assets["addressOf"]) => Promise<Html>;

function toRoute(path: string, handle: Route["handle"]): Route {
	return { method: "GET", path, headers: pageHeaders, handle };
}

/** Calls it at the first use only. A failure is not remembered. */
function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
	let value: Promise<Value> | undefined;
	return () => {
		value ??= create().catch((error) => {
			value = undefined;
			throw error;
		});
		return value;
	};
}

/** What a program gets at `/`. */
function toIndex(request: Request): Reply {
	const reply = { status: httpStatus.ok, headers: jsonHeaders, own: indexOwn };
	return isMatched(request, indexOwn.ETag)
		? toNotModified(reply)
		: { ...reply, body: index };
}

const index = JSON.stringify({
	service: "petstore",
	version: interfaceVersion,
	pets: `${versionPrefix}/pets`,
	openapi: "/openapi.json",
	health: "/healthz",
	readiness: "/readyz",
});

const indexOwn = {
	ETag: toTag(index),
	"Cache-Control": "no-cache",
	Vary: "Accept",
};
