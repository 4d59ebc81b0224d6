// `/sandbox`: reset, fault rules and recorded requests. It needs no key, and answers only this machine.

import { httpStatus } from "../contract/operation.ts";
import type { OperationId } from "../contract/v1/operations.ts";
import { readWhole, toMembers } from "../domain/members.ts";
import { readAnyBody } from "../http/body.ts";
import { anonymous, type Route, type Surface } from "../http/surface.ts";
import { requireLocal } from "./access.ts";
import type { DemoStart } from "./demo-animals.ts";
import { maxDemoAnimals } from "./demo-animals.ts";
import { toRules } from "./fault-rule.ts";
import type { Faults } from "./faults.ts";
import type { Requests } from "./requests.ts";

export const sandboxPrefix = "/sandbox";

export function createSandboxSurface(options: {
	faults: Faults;
	requests: Requests;
	/** What a reset goes back to, where its body has nothing else. */
	start: DemoStart;
	reset: (start: DemoStart) => Promise<void>;
	/** The operations that a rule may name. */
	operationIds: readonly OperationId[];
}): Surface {
	const { faults, requests, start, reset, operationIds } = options;
	// Bodies are read as JSON, whatever their Content-Type, since curl -d says that it sends a form.
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

/** Without those for other origins: see access.ts. */
const localHeaders = new Headers({
	"Content-Type": "application/json",
	"Cache-Control": "no-store",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-site",
});

/** Answers with what the work returns, if it returns something. */
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
	const members = toMembers(await readAnyBody(request), ["pets", "seed"], {
		code: "invalid_body",
		prefix: "",
	});
	const read = (name: "pets" | "seed", maximum: number) =>
		members.has(name) ? readWhole(members, name, 0, maximum) : start[name];
	return {
		pets: read("pets", maxDemoAnimals),
		seed: read("seed", Number.MAX_SAFE_INTEGER),
	};
}

function hasNoBody(headers: Headers): boolean {
	return (
		!headers.has("transfer-encoding") &&
		Number(headers.get("content-length") ?? 0) === 0
	);
}
