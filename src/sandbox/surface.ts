// `/sandbox`: reset, fault rules and recorded requests. It needs no key, so only this machine may call it.
import type { FixedKey } from "../auth/key-auth.ts";
import { isLocalHost, isLocalOrigin } from "../auth/site.ts";
import { httpStatus } from "../contract/operation.ts";
import type { OperationId } from "../contract/v1/operations.ts";
import { Failure } from "../domain/errors.ts";
import { readWhole, toMembers } from "../domain/members.ts";
import { readAnyBody } from "../http/body.ts";
import { anonymous, type Route, type Surface } from "../http/surface.ts";
import { type DemoStart, maxDemoAnimals } from "./demo-animals.ts";
import { faultHeader, toRules } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import type { Requests } from "./requests.ts";

export const sandboxPrefix = "/sandbox";

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	/** The default of a reset. */
	start: DemoStart;
	reset: (start: DemoStart) => Promise<void>;
	/** The operations that a rule may name. */
	operationIds: readonly OperationId[];
}): Surface {
	const { faults, requests, start, reset, operationIds } = options;
	// Bodies are read as JSON whatever their Content-Type, since curl -d announces a form.
	return {
		prefix: sandboxPrefix,
		admit: requireLocal,
		authenticate: () => anonymous,
		headers: localHeaders,
		routes: [
			toRoute("POST", "/reset", async (request) =>
				reset(await readStart(request, start)),
			),
			toRoute("GET", "/faults", faults.list),
			toRoute("PUT", "/faults", async (request) =>
				faults.put(toRules(await readAnyBody(request), operationIds)),
			),
			toRoute("DELETE", "/faults", () => faults.put([])),
			toRoute("GET", "/requests", requests.list),
			toRoute("DELETE", "/requests", requests.clear),
		],
	};
}

/** Without those for other origins: see `allowLocalPage`. */
const localHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

/** The reply has the result of the work, if any. */
function toRoute(
	method: string,
	path: string,
	work: (request: Request) => unknown,
): Route {
	return {
		method,
		path,
		headers: localHeaders,
		async handle({ request, headers }) {
			const shown = await work(request);
			return shown === undefined
				? { status: httpStatus.noContent, headers }
				: { status: httpStatus.ok, headers, body: JSON.stringify(shown) };
		},
	};
}

async function readStart(
	request: Request,
	start: DemoStart,
): Promise<DemoStart> {
	if (hasNoBody(request.headers)) return start;
	const members = toMembers(await readAnyBody(request), ["animals", "seed"], {
		code: "invalid_body",
		prefix: "",
	});
	const read = (name: "animals" | "seed", maximum: number) =>
		members.has(name) ? readWhole(members, name, 0, maximum) : start[name];
	return {
		animals: read("animals", maxDemoAnimals),
		seed: read("seed", Number.MAX_SAFE_INTEGER),
	};
}

function hasNoBody(headers: Headers): boolean {
	return (
		!headers.has("transfer-encoding") &&
		Number(headers.get("content-length") ?? 0) === 0
	);
}

/** It is no secret. */
export const sandboxKey: FixedKey = {
	key: "sandbox",
	id: "sandbox",
	scope: "operator",
};

/** A page of another site that reaches the sandbox by a name of its own sends that name as Host. */
export function requireLocal({ headers }: Request): void {
	if (!isLocalHost(headers.get("host") ?? ""))
		throw new Failure(
			"forbidden",
			"The Host of a request to the sandbox must be localhost, 127.0.0.1 or [::1].",
		);
	const origin = headers.get("origin");
	if (origin !== null && !isLocalOrigin(origin))
		throw new Failure(
			"forbidden",
			"The Origin of a request to the sandbox must be at localhost, 127.0.0.1 or [::1].",
		);
}

/**
 * Lets scripts of the request's page read the reply, if the page is of this machine, and allows the header of faults in a preflight request.
 * Under `/v1` every header is allowed that is asked for.
 */
export function allowLocalPage(request: Request, { headers }: Response): void {
	if (!headers.get("Vary")?.includes("Origin"))
		headers.append("Vary", "Origin");
	const origin = request.headers.get("origin");
	if (origin !== null && isLocalOrigin(origin))
		headers.set("Access-Control-Allow-Origin", origin);
	const allowed = headers.get("Access-Control-Allow-Headers");
	const isAllowed = allowed?.toLowerCase().includes(faultHeader.toLowerCase());
	if (allowed !== null && !isAllowed)
		headers.append("Access-Control-Allow-Headers", faultHeader);
}
