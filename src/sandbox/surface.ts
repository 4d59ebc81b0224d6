// `/sandbox`: reset, fault rules and recorded requests, and the page for them.
import type { OpenApiVersion } from "../contract/openapi/document.ts";
import { httpStatus } from "../contract/operation.ts";
import { invalid, readParameter } from "../contract/parameter.ts";
import { readWhole, toMembers, toUnknown } from "../domain/members.ts";
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
import { maxDemoAnimals } from "./demo-animals.ts";
import { toGiven, toRules } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import {
	requestParameters as parameters,
	type SandboxOperationId,
	sandboxInterface,
	toRequestFilter,
} from "./interface.ts";
import type { Requests } from "./requests.ts";
import { type Start, toOwnPets } from "./start.ts";

/** Own animals of a reset: more than a test needs, and little enough for any machine. */
const maxResetBytes = 16 * 1024 * 1024;

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	/** What a reset goes back to, where its body has nothing else. */
	start: () => Start;
	reset: (start: Start) => Promise<void>;
	countAnimals: () => Promise<number>;
	/** The operations that a rule may name. */
	operationIds: readonly string[];
	access: Access;
	/** That of the service, for control paths that need the key. */
	authenticate: Surface["authenticate"];
	/** Keeps the connection of a request open although nothing is sent for this long. */
	allowIdle: (request: Request, ms: number) => void;
	openapi: (version: OpenApiVersion) => string;
	/** The page of the sandbox, if the service has pages. */
	page: Route | undefined;
}): Surface {
	const { faults, requests, start, reset, access, operationIds } = options;

	async function listRequests({ request, query }: Call): Promise<unknown> {
		requireKnownParameters(query);
		const filter = toRequestFilter(query);
		const count = readParameter(query, parameters.count);
		const ms = readParameter(query, parameters.wait) ?? 0;
		if (count === undefined) return requests.list(filter);
		options.allowIdle(request, ms);
		return requests.wait(filter, count, ms);
	}

	const handlers: Readonly<Record<SandboxOperationId, Handler>> = {
		// Bodies are read as JSON, whatever their Content-Type, since curl -d says that it sends a form.
		reset: async ({ request }) => reset(await readStart(request, start())),
		listFaults: () =>
			faults.list().map(({ fault, ...rule }) => ({
				...rule,
				skip: rule.skip || undefined,
				...toGiven(fault),
			})),
		setFaults: async ({ request }) =>
			faults.put(toRules(await readAnyBody(request), operationIds)),
		removeFaults: () => faults.put([]),
		listRequests,
		removeRequests: requests.clear,
		countAnimals: async () => ({ animals: await options.countAnimals() }),
	};
	const scope: Route["scope"] = access.needsKey ? "operator" : undefined;
	const { prefix } = sandboxInterface;
	// They tell nothing of what the sandbox got. The page asks for the key.
	const open = [
		toDocumentRoute("/openapi.json", localHeaders, options.openapi),
		...(options.page === undefined ? [] : [options.page]),
	];
	const openPaths = new Set(open.map(({ path }) => prefix + path));
	const isOpen = ({ url }: Request) => openPaths.has(splitUrl(url).path);
	return {
		prefix,
		admit: access.admit,
		headers: localHeaders,
		authenticate: (request, arrivedAt) =>
			access.needsKey && !isOpen(request)
				? options.authenticate(request, arrivedAt)
				: anonymous,
		routes: [
			...open,
			...toRoutes(
				sandboxInterface,
				localHeaders,
				Object.fromEntries(
					Object.entries(handlers).map(([id, work]) => [id, toHandle(work)]),
				),
			).map((route) => ({
				...route,
				scope,
				// The page asks again and again, and the log is for what clients send.
				isUnlogged: route.method === "GET",
			})),
		],
	};
}

type Handler = (call: Call) => unknown;

/** Without those for other origins: see access.ts. */
const localHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

/** Answers with what the work returns, if it returns something. */
function toHandle(work: Handler): Route["handle"] {
	return async (call) => {
		const { headers } = call;
		const shown = await work(call);
		return shown === undefined
			? { status: httpStatus.noContent, headers }
			: { status: httpStatus.ok, headers, body: JSON.stringify(shown) };
	};
}

/** A test that waits for something else than it says would never fail. */
function requireKnownParameters(query: string): void {
	const known = Object.keys(parameters);
	for (const name of new URLSearchParams(query).keys())
		if (!known.includes(name)) throw invalid(name, toUnknown(name, known));
}

async function readStart(request: Request, start: Start): Promise<Start> {
	if (hasNoBody(request.headers)) return start;
	const body = await readAnyBody(request, maxResetBytes);
	const members = toMembers(body, ["pets", "seed"]);
	const pets = members.get("pets");
	return {
		pets: Array.isArray(pets)
			? toOwnPets(pets)
			: members.has("pets")
				? readWhole(members, "pets", 0, maxDemoAnimals, "an array or ")
				: start.pets,
		seed: members.has("seed")
			? readWhole(members, "seed", 0, Number.MAX_SAFE_INTEGER)
			: start.seed,
	};
}

function hasNoBody(headers: Headers): boolean {
	return (
		!headers.has("transfer-encoding") &&
		Number(headers.get("content-length") ?? 0) === 0
	);
}
