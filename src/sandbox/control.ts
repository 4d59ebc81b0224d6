// `/sandbox`: reset, fault rules and recorded requests, and the page for them. docs/sandbox.md describes it.
import { toJson } from "../domain/json.ts";
import { requireValid } from "../domain/type.ts";
import { toUnknown } from "../domain/unknown.ts";
import { readQuery } from "../http/operations.ts";
import { jsonHeaders, withHeaders } from "../http/reply.ts";
import { splitUrl } from "../http/router.ts";
import {
	anonymous,
	type Call,
	type Route,
	type Surface,
} from "../http/surface.ts";
import type { Access } from "./access.ts";
import type { Faults } from "./faults.ts";
import { parameters, type Requests } from "./requests.ts";
import { rulesType } from "./rules.ts";
import { readBody } from "./start.ts";

const prefix = "/sandbox";

export function createControl(options: {
	access: Access;
	faults: Faults;
	requests: Requests;
	page: Route;
	reset: (request: Request) => Promise<void>;
	countAnimals: () => Promise<number>;
	/** Of the service, for control paths that need the key. */
	authenticate: Surface["authenticate"];
}): Surface {
	const { access, faults, requests, page, authenticate } = options;

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
			page,
			route("POST", "/reset", ({ request }) => options.reset(request)),
			route("GET", "/faults", faults.list),
			route("PUT", "/faults", async ({ request }) =>
				faults.put(await readBody(request, rulesType)),
			),
			route("DELETE", "/faults", () => faults.put([])),
			route("GET", "/requests", ({ request, query, source }) => {
				const broken = findUnknown(query, Object.keys(parameters));
				const asked = readQuery(query, parameters, broken);
				requireValid(broken, "invalid_parameter");
				source.allowIdle(request, asked.wait ?? 0);
				return requests.list(asked);
			}),
			route("DELETE", "/requests", requests.clear),
			route("GET", "/animals", async () => ({
				animals: await options.countAnimals(),
			})),
		],
	};
}

/** `wrap` of sandbox.ts hides refusals from scripts of other origins. */
const localHeaders = withHeaders(jsonHeaders, {
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

/** A misspelt name must fail: the list would have the wrong requests. */
function findUnknown(query: string, known: readonly string[]): string[] {
	return [...new URLSearchParams(query).keys()]
		.filter((name) => !known.includes(name))
		.map((name) => toUnknown(name, known));
}
