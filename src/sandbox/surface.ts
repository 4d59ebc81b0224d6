// `/sandbox`: reset, fault rules and recorded requests, and the page for them. docs/sandbox.md describes it.

import { toJson } from "../domain/json.ts";
import { flag, formed, oneOf, parsed, time, whole } from "../domain/scalar.ts";
import { optional, requireValid } from "../domain/type.ts";
import { toUnknown } from "../domain/unknown.ts";
import { readAnyBody } from "../http/body.ts";
import { readQuery } from "../http/operations.ts";
import { splitUrl } from "../http/router.ts";
import {
	anonymous,
	type Call,
	type Route,
	type Surface,
} from "../http/surface.ts";
import { maxFaultDelayMs } from "../limits.ts";
import type { Access } from "./access.ts";
import type { Faults } from "./faults.ts";
import type { Requests } from "./requests.ts";
import { type KnownOperation, methods, type Rules } from "./rules.ts";

const prefix = "/sandbox";

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	reset: (request: Request) => Promise<void>;
	countAnimals: () => Promise<number>;
	access: Access;
	operations: readonly KnownOperation[];
	rules: Rules;
	/** Of the service, for control paths that need the key. */
	authenticate: Surface["authenticate"] | undefined;
	/** The page of the sandbox, if the service has pages. */
	page: Route | undefined;
}): Surface {
	const { faults, requests, access, page } = options;
	const { authenticate = () => anonymous } = options;
	const parameters = toParameters(options.operations);

	/** Without a value, the reply is a 204. */
	function route(
		method: string,
		path: string,
		work: (call: Call) => unknown,
	): Route {
		return {
			method,
			path,
			scope: access.needsKey ? "operator" : undefined,
			headers: localHeaders,
			// Not logged: the page polls, and the log is for clients.
			isUnlogged: method === "GET",
			async handle(call) {
				const shown = await work(call);
				return shown === undefined ? { status: 204 } : { body: toJson(shown) };
			},
		};
	}

	return {
		prefix,
		admit: access.admit,
		headers: localHeaders,
		// The page is open to all: it shows no requests, and asks for the key.
		authenticate: (request, arrivedAt) =>
			access.needsKey && splitUrl(request.url).path !== prefix
				? authenticate(request, arrivedAt)
				: anonymous,
		routes: [
			...(page === undefined ? [] : [page]),
			route("POST", "/reset", ({ request }) => options.reset(request)),
			route("GET", "/faults", () =>
				faults
					.list()
					.map(({ skip, ...rule }) => ({ skip: skip || undefined, ...rule })),
			),
			// Reads any body as JSON, since `curl -d` declares a form.
			route("PUT", "/faults", async ({ request }) =>
				faults.put(options.rules.read(await readAnyBody(request))),
			),
			route("DELETE", "/faults", () => faults.put([])),
			route("GET", "/requests", ({ request, query, source }) => {
				const broken = findUnknown(query, Object.keys(parameters));
				const asked = readQuery(query, parameters, broken);
				requireValid(broken, "invalid_parameter");
				const { count, wait: ms, ...filter } = asked;
				if (ms !== undefined) source.allowIdle(request, ms);
				return requests.list(filter, count, ms);
			}),
			route("DELETE", "/requests", requests.clear),
			route("GET", "/animals", async () => ({
				animals: await options.countAnimals(),
			})),
		],
	};
}

/** No CORS headers: see access.ts. */
const localHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

/** A misspelt value would match no request, and a test that expects none would pass. */
function toParameters(operations: readonly KnownOperation[]) {
	return {
		operation: optional(
			oneOf(
				"Only requests for this operation.",
				operations.map(({ id }) => id),
			),
		),
		method: optional(
			oneOf("Only requests with this method.", [...methods, "OPTIONS"]),
		),
		path: optional(
			formed(
				"Only requests with this path.",
				/^\/[^?#]*$/,
				"must begin with / and have no query",
				{},
			),
		),
		header: optional(
			parsed(
				"Only requests with this header, as Name:value.",
				toHeader,
				"must be a name and a value, as Name:value",
				(header) => header.join(":"),
				{},
			),
		),
		preflights: optional(flag("Preflights of browsers too.")),
		since: optional(time("Only requests that arrived at this time or later.")),
		count: optional(
			whole(
				"Answer when this many requests match, or when `wait` is over.",
				0,
				1_000,
			),
		),
		wait: optional(
			whole(
				"How long to wait for `count` requests, in milliseconds.",
				0,
				maxFaultDelayMs,
			),
		),
	};
}

/** The name in lower case, and the value. */
function toHeader(text: string): readonly [string, string] | undefined {
	const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): *(.*)$/.exec(text) ?? [];
	return name === undefined || value === undefined
		? undefined
		: [name.toLowerCase(), value];
}

/** A misspelt filter must fail: a test would wait for the wrong requests. */
function findUnknown(query: string, known: readonly string[]): string[] {
	return [...new URLSearchParams(query).keys()]
		.filter((name) => !known.includes(name))
		.map((name) => toUnknown(name, known));
}
