// `/sandbox`: reset, fault rules and recorded requests, and the page for them.
import { toOpenApi } from "../contract/openapi/document.ts";
import type { Interface } from "../contract/operation.ts";
import { invalid, readParameter } from "../contract/parameter.ts";
import { toUnknown } from "../domain/members.ts";
import { readAnyBody } from "../http/body.ts";
import { toDocumentRoute, toRoutes } from "../http/operation-routes.ts";
import {
	anonymous,
	type Call,
	type Route,
	type Surface,
} from "../http/surface.ts";
import { splitUrl } from "../http/target.ts";
import type { Access } from "./access.ts";
import { toGiven, toRules } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import {
	requestParameters as parameters,
	type SandboxOperationId,
	sandboxInterface,
} from "./interface.ts";
import type { Requests } from "./requests.ts";

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	reset: (request: Request) => Promise<void>;
	countAnimals: () => Promise<number>;
	access: Access;
	/** With a scope for each operation if the control paths need the key. */
	described: Interface;
	/** The operations that a rule may name. */
	operationIds: readonly string[];
	/** Of the service, for control paths that need the key. */
	authenticate: Surface["authenticate"] | undefined;
	/** The page of the sandbox, if the service has pages. */
	page: Route | undefined;
}): Surface {
	const { faults, requests, access, page, described } = options;
	const handlers: Readonly<Record<SandboxOperationId, Handler>> = {
		reset: ({ request }) => options.reset(request),
		listFaults: () =>
			faults.list().map(({ fault, ...rule }) => ({
				...rule,
				skip: rule.skip || undefined,
				...toGiven(fault),
			})),
		// Reads any body as JSON, since `curl -d` declares a form.
		setFaults: async ({ request }) =>
			faults.put(toRules(await readAnyBody(request), options.operationIds)),
		removeFaults: () => faults.put([]),
		listRequests({ request, query, source }) {
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
		},
		removeRequests: requests.clear,
		countAnimals: async () => ({ animals: await options.countAnimals() }),
	};
	const { prefix } = sandboxInterface;
	const { authenticate = () => anonymous } = options;
	// Open to all: they show no requests, and the page asks for the key.
	const open = [
		toDocumentRoute("/openapi.json", localHeaders, (version) =>
			toOpenApi(sandboxInterface, {}, version),
		),
		...(page === undefined ? [] : [page]),
	];
	const openPaths = open.map(({ path }) => prefix + path);
	return {
		prefix,
		admit: access.admit,
		headers: localHeaders,
		authenticate: (request, arrivedAt) =>
			access.needsKey && !openPaths.includes(splitUrl(request.url).path)
				? authenticate(request, arrivedAt)
				: anonymous,
		routes: [
			...open,
			...toRoutes(
				described,
				localHeaders,
				Object.fromEntries(
					Object.entries(handlers).map(([id, work]) => [id, toHandle(work)]),
				),
			).map((route) => ({
				...route,
				// Not logged: the page polls, and the log is for clients.
				isUnlogged: route.method === "GET",
			})),
		],
	};
}

type Handler = (call: Call) => unknown;

/** No CORS headers: see access.ts. */
const localHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

function toHandle(work: Handler): Route["handle"] {
	return async (call) => {
		const shown = await work(call);
		return shown === undefined ? {} : { body: JSON.stringify(shown) };
	};
}

/** A misspelt filter must fail: a test would wait for the wrong requests. */
function requireKnownParameters(query: string): void {
	const known = Object.keys(parameters);
	for (const name of new URLSearchParams(query).keys())
		if (!known.includes(name)) throw invalid(name, toUnknown(name, known));
}
