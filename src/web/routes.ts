// The routes for browsers: the home page at `/`, where programs get JSON, the reference, the console, and their assets. Their modules
// are loaded at the first request, because they would make the start several milliseconds longer.

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
import { pageHeaders } from "./headers.ts";
import type { PageOptions } from "./layout.ts";
import type { PageName } from "./pages.ts";

export function createPages(options: PageOptions): readonly Route[] {
	let opened: ReturnType<typeof open> | undefined;
	// After a failure, the next request tries again.
	const pages = () => {
		opened ??= open(options).catch((error) => {
			opened = undefined;
			throw error;
		});
		return opened;
	};
	const answer = async (name: PageName, request: Request) =>
		(await pages()).answer(name, request);
	return [
		toRoute("/", ({ request }) =>
			prefersHtml(request) ? answer("home", request) : toIndex(request),
		),
		toRoute("/docs", ({ request }) => answer("reference", request)),
		...(options.hasConsole
			? [toRoute("/console", ({ request }) => answer("console", request))]
			: []),
		toRoute("/assets/{name}", async ({ request, segment }) => {
			const reply = (await pages()).assets.get(segment);
			if (reply !== undefined) return reply(request);
			throw new Failure("not_found", "This path does not exist.");
		}),
	];
}

async function open(options: PageOptions) {
	return (await import("./pages.ts")).openPages(options);
}

function toRoute(path: string, handle: Route["handle"]): Route {
	return { method: "GET", path, headers: pageHeaders, handle };
}

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
