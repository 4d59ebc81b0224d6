// Applies the fault rules to the requests for operations.
import { invalidToken } from "../auth/keys.ts";
import { errorCodes, errorStatus } from "../domain/errors.ts";
import { noReply, type OwnHeaders, type Reply } from "../http/reply.ts";
import { requirePath, splitUrl } from "../http/router.ts";
import type { Call, Route } from "../http/surface.ts";
import { toErrors } from "../interface/operation.ts";
import { toJson } from "../json.ts";
import { versionPrefix } from "../v1/operation.ts";
import { carryOut, type Effect, type Exchange } from "./exchange.ts";
import { toRandom } from "./random.ts";
import {
	type Fault,
	faultHeader,
	type KnownOperation,
	type OwnReply,
	operations,
	type Rule,
	readHeader,
} from "./rules.ts";

export function createFaults(
	exchangeOf: (request: Request) => Exchange | undefined,
) {
	let rules: readonly Rule[] = [];
	let seed = 0;
	let draws = 0;

	/** Uses up one request of the first rule that applies. A rule in the header comes first, and uses up no other. */
	function take(
		operation: KnownOperation,
		{ request }: Call,
	): Fault | undefined {
		const header = request.headers.get(faultHeader);
		const given = header === null ? rules : [readHeader(header, operation.id)];
		let fault: Fault | undefined;
		const left = given.flatMap((rule) => {
			const { skip, times = 1, probability = 1 } = rule;
			if (fault !== undefined || !fits(rule, operation, request)) return [rule];
			if (skip) return [{ ...rule, skip: skip - 1 || undefined }];
			if (probability < 1 && toRandom(seed, ++draws) / 2 ** 32 >= probability)
				return [rule];
			fault = rule;
			if (times === "always") return [rule];
			return times === 1 ? [] : [{ ...rule, times: times - 1 }];
		});
		if (header === null) rules = left;
		return fault;
	}

	async function answer(
		operation: KnownOperation,
		handle: Route["handle"],
		call: Call,
	): Promise<Reply> {
		const exchange = exchangeOf(call.request);
		if (exchange === undefined) return noReply;
		const { keyId } = call.identity;
		exchange.record.key = keyId === undefined ? null : String(keyId);
		const taken = take(operation, call);
		if (taken === undefined) return handle(call);
		const { delay, status, reply, drop, after } = taken;
		const fault = { delay, status, reply, drop, after };
		exchange.record.fault = fault;
		exchange.effect = toEffect(fault, operation, call);
		const made = await carryOut(exchange, handle, call);
		return { ...made, logged: { ...made.logged, fault: toText(fault) } };
	}

	return {
		/** Replaces all rules. With a seed, the run begins. */
		put(replacement: readonly Rule[], begun?: number): void {
			rules = replacement;
			if (begun === undefined) return;
			seed = begun;
			draws = 0;
		},
		/** The rules that are not used up. */
		list: () => rules,
		/** The route of an operation, with the faults of the rules or the header. */
		wrap(route: Route): Route {
			const operation = operations.find(({ id }) => id === route.operationId);
			return operation === undefined
				? route
				: { ...route, handle: (call) => answer(operation, route.handle, call) };
		},
	};
}

/** Whether the rule matches the request, ignoring its probability. */
function fits(
	{ operation, path, method, header = {} }: Rule,
	{ id, prefix }: KnownOperation,
	request: Request,
): boolean {
	const isForAny = operation === undefined && path === undefined;
	return (
		(isForAny ? prefix === versionPrefix : (operation ?? id) === id) &&
		(path === undefined || path === splitUrl(request.url).path) &&
		(method ?? request.method) === request.method &&
		Object.entries(header).every(
			([name, value]) =>
				request.headers.get(name) === [value].flat().join(", "),
		)
	);
}

function toEffect(
	{ delay = 0, status, reply, drop, after = false }: Fault,
	operation: KnownOperation,
	call: Call,
): Effect {
	if (drop === "mid-body") return { delay, end: "half", isDone: true };
	if (drop !== undefined)
		return { delay, end: "cut", isDone: drop === "after-commit" };
	const own =
		(status && toErrorReply(status, operation, call)) ||
		(reply && toReply(reply, call)) ||
		undefined;
	return { delay, end: "send", reply: own, isDone: !own || after };
}

/** A status that the service never sends has the code `fault`. Not thrown, since that would log another line. */
function toErrorReply(
	status: number,
	operation: KnownOperation,
	call: Call,
): Reply {
	const code =
		[...toErrors(operation), ...errorCodes].find(
			(one) => errorStatus[one] === status,
		) ?? "fault";
	const message = "This error is a fault of the sandbox.";
	return {
		status,
		own:
			status === 405
				? { Allow: requirePath(call).allow }
				: (ownHeaders[status] ?? {}),
		body: JSON.stringify({ code, message, status }),
		logged: { code },
	};
}

/** As RFC 9110 requires. No fault applies to OPTIONS. */
const ownHeaders: Readonly<Record<number, OwnHeaders>> = {
	// A fault applies to requests with a key.
	401: invalidToken,
	429: { "Retry-After": "1" },
	503: { "Retry-After": "1" },
};

/** With the headers of all replies of the interface, as CORS, unless it gives others. */
function toReply(
	{ status, headers: given = {}, body }: OwnReply,
	call: Call,
): Reply {
	const headers = new Headers(call.surface.headers);
	for (const name of Object.keys(given)) headers.delete(name);
	for (const [name, values] of Object.entries(given))
		for (const value of [values].flat()) headers.append(name, value);
	// The app adds it to each reply.
	call.requestId = headers.get("X-Request-Id") ?? call.requestId;
	const sent =
		body === undefined || typeof body === "string" ? body : toJson(body);
	return { status, headers, body: sent };
}

/** For the log. */
function toText({ reply, ...fault }: Fault): string {
	return Object.entries({ ...fault, reply: reply?.status })
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${value}`)
		.join("; ");
}
