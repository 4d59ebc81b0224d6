// `/sandbox`: reset, fault rules and recorded requests, and the page for them. docs/sandbox.md describes it.
import { httpStatus } from "../contract/operation.ts";
import {
	instant,
	invalid,
	oneOf,
	readParameter,
	whole,
} from "../contract/parameter.ts";
import { toUnknown } from "../domain/members.ts";
import { readAnyBody } from "../http/body.ts";
import { splitUrl } from "../http/router.ts";
import {
	anonymous,
	type Call,
	type Route,
	type Surface,
} from "../http/surface.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { operator } from "../operator/interface.ts";
import { v1 } from "../v1/interface.ts";
import type { Access } from "./access.ts";
import { toRules } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import type { Requests } from "./requests.ts";

const prefix = "/sandbox";

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	reset: (request: Request) => Promise<void>;
	countAnimals: () => Promise<number>;
	access: Access;
	/** The operations that a rule may name. */
	operationIds: readonly string[];
	/** Of the service, for control paths that need the key. */
	authenticate: Surface["authenticate"] | undefined;
	/** The page of the sandbox, if the service has pages. */
	page: Route | undefined;
}): Surface {
	const { faults, requests, access, page } = options;
	const { authenticate = () => anonymous } = options;

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
				return shown === undefined
					? { status: httpStatus.noContent }
					: { body: JSON.stringify(shown) };
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
				faults.list().map(({ fault, operation, skip, ...rule }) => ({
					operation,
					skip: skip || undefined,
					...rule,
					...fault,
				})),
			),
			// Reads any body as JSON, since `curl -d` declares a form.
			route("PUT", "/faults", async ({ request }) =>
				faults.put(toRules(await readAnyBody(request), options.operationIds)),
			),
			route("DELETE", "/faults", () => faults.put([])),
			route("GET", "/requests", ({ request, query, source }) => {
				requireKnownParameters(query);
				const ms = readParameter(query, parameters.wait);
				const filter = {
					operation: readParameter(query, parameters.operation),
					method: readParameter(query, parameters.method),
					since: readParameter(query, parameters.since),
				};
				const count = readParameter(query, parameters.count);
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
const parameters = {
	operation: oneOf({
		name: "operation",
		description: "Only requests for this operation.",
		values: [v1, operator].flatMap(({ operations }) => Object.keys(operations)),
	}),
	method: oneOf({
		name: "method",
		description: "Only requests with this method.",
		values: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
	}),
	since: instant({
		name: "since",
		description: "Only requests that arrived at this time or later.",
	}),
	count: whole(
		"count",
		"Answer when this many requests match, or when `wait` is over.",
		[0, 1_000],
	),
	wait: whole(
		"wait",
		"How long to wait for `count` requests, in milliseconds.",
		[0, maxFaultDelayMs],
	),
};

/** A misspelt filter must fail: a test would wait for the wrong requests. */
function requireKnownParameters(query: string): void {
	const known = Object.keys(parameters);
	for (const name of new URLSearchParams(query).keys())
		if (!known.includes(name)) throw invalid(name, toUnknown(name, known));
}
