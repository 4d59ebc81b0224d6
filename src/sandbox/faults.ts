// The fault rules, and how a fault is applied to a request.
import { setTimeout as sleep } from "node:timers/promises";
import { challenge } from "../auth/keys.ts";
import { errorCodes, errorStatus, Failure } from "../domain/errors.ts";
import type { OwnHeaders, Reply } from "../http/reply.ts";
import type { Call, Route, Surface } from "../http/surface.ts";
import { versionPrefix } from "../v1/operation.ts";
import {
	type Fault,
	faultHeader,
	type KnownOperation,
	type Rule,
	toFault,
	toHeaderFault,
	toText,
} from "./fault-rule.ts";
import { createRandom } from "./random.ts";

export type Faults = ReturnType<typeof createFaults>;

/** The fault of a request, and what became of its reply. */
interface Outcome {
	/** The id or name of its key. */
	readonly key: string | null;
	fault: Fault | undefined;
	/** The status of the reply that was not sent. */
	unsentStatus: number | null;
	/** Whether the connection is closed instead of a reply. */
	isCut: boolean;
}

export function createFaults(seed: number, all: readonly KnownOperation[]) {
	const operations = new Map(all.map((one) => [one.id, one]));
	const outcomes = new WeakMap<Request, Outcome>();
	let rules: readonly Rule[] = [];
	let ended = new AbortController();
	let random = createRandom(seed);

	/** Uses up one request of the first rule that applies. A fault in the header comes first, and uses up no rule. */
	function take(
		operation: KnownOperation,
		{ headers }: Request,
	): Fault | undefined {
		const header = headers.get(faultHeader);
		if (header !== null) return toHeaderFault(header);
		let fault: Fault | undefined;
		rules = rules.flatMap((rule) => {
			const { skip, probability = 1 } = rule;
			if (fault !== undefined || !fits(rule, operation)) return [rule];
			if (skip > 0) return [{ ...rule, skip: skip - 1 }];
			if (probability < 1 && random() >= probability) return [rule];
			fault = toFault(rule);
			return toRest(rule);
		});
		return fault;
	}

	/** Resolves to whether the sandbox was reset meanwhile. A reset or a stop ends the wait. */
	async function wait(ms: number): Promise<boolean> {
		const { signal } = ended;
		await sleep(ms, undefined, { signal }).catch(() => {});
		return signal.reason === wasReset;
	}

	async function answer(
		operation: KnownOperation,
		handle: Route["handle"],
		call: Call,
	): Promise<Reply> {
		const { keyId } = call.identity;
		const own: Outcome = {
			key: keyId === undefined ? null : String(keyId),
			fault: undefined,
			unsentStatus: null,
			isCut: false,
		};
		outcomes.set(call.request, own);
		const fault = take(operation, call.request);
		if (fault === undefined) return handle(call);
		own.fault = fault;
		const { delay, status, drop } = fault;
		const logged = { fault: toText(fault) };
		if (delay !== undefined) {
			call.source.allowIdle(call.request, delay);
			own.isCut = await wait(delay);
		}
		if (status !== undefined && !own.isCut) {
			const reply = toErrorReply(status, fault, operation.errors);
			return { ...reply, logged: { ...reply.logged, ...logged } };
		}
		if (drop === "after-commit" && !own.isCut)
			own.unsentStatus = await toStatus(handle, call, operation);
		own.isCut ||= drop === "before" || drop === "after-commit";
		if (own.isCut)
			// The log shows no status.
			return {
				status: 204,
				logged: { status: undefined, ...logged },
			};
		const reply = await handle(call);
		return { ...reply, logged: { ...reply.logged, ...logged } };
	}

	return {
		/** Replaces all rules. */
		put(replacement: readonly Rule[]): void {
			rules = replacement;
		},
		/** The rules that are not used up. */
		list: () => rules,
		/** Undefined without an operation or a valid key. */
		findOutcome: (request: Request) => outcomes.get(request),
		/** What is sent in place of the reply. `cut` closes the connection. */
		async toSent(
			request: Request,
			response: Response,
		): Promise<Response | "cut"> {
			const own = outcomes.get(request);
			if (own?.isCut) return "cut";
			if (own?.fault?.drop !== "mid-body") return response;
			const sent = await cutInHalf(response);
			if (sent === "cut") own.unsentStatus = response.status;
			return sent;
		},
		/** The route of an operation, with the faults of the rules or the header. */
		wrap(route: Route): Route {
			const { operationId: id = "", handle } = route;
			const operation = operations.get(id);
			return operation === undefined
				? route
				: { ...route, handle: (call) => answer(operation, handle, call) };
		},
		/** Delays every request to an interface, even one that is then refused. */
		delay(surface: Surface, ms: number): Surface {
			const isInterface = surface.routes.some(({ operationId = "" }) =>
				operations.has(operationId),
			);
			if (!isInterface) return surface;
			return {
				...surface,
				async authenticate(request) {
					await wait(ms);
					return surface.authenticate(request, performance.now());
				},
			};
		},
		/** Removes all rules, and drops the requests that wait in a delay. */
		reset(seed: number): void {
			rules = [];
			random = createRandom(seed);
			ended.abort(wasReset);
			ended = new AbortController();
		},
		/** Ends all delays. */
		close: () => ended.abort(),
	};
}

const wasReset = new Error("The sandbox was reset.");

/** Whether the rule matches the request, ignoring its probability. */
function fits({ operation }: Rule, { id, prefix }: KnownOperation): boolean {
	return operation === undefined ? prefix === versionPrefix : operation === id;
}

function toRest(rule: Rule): readonly Rule[] {
	const { times } = rule;
	if (times === "always") return [rule];
	return times === 1 ? [] : [{ ...rule, times: times - 1 }];
}

/** Runs the request, and returns the status of its reply. */
async function toStatus(
	handle: Route["handle"],
	call: Call,
	{ status }: KnownOperation,
): Promise<number> {
	try {
		return (await handle(call)).status ?? status;
	} catch (error) {
		return errorStatus[error instanceof Failure ? error.code : "internal"];
	}
}

/** A status that the service never sends has the code `fault`. Not thrown, since that would log another line. */
function toErrorReply(
	status: number,
	{ retryAfter, body }: Fault,
	codes: KnownOperation["errors"],
): Reply {
	const code =
		[...codes, ...errorCodes].find((one) => errorStatus[one] === status) ??
		"fault";
	const message = "This error is a fault of the sandbox.";
	const { "Retry-After": usual, ...own } = ownHeaders[status] ?? {};
	const after = retryAfter === undefined ? usual : retryAfter;
	return {
		status,
		own: { ...own, ...(after != null && { "Retry-After": String(after) }) },
		body: JSON.stringify({ code, message, status }),
		...(body && bodies[body]),
		logged: { code },
	};
}

/** As RFC 9110 requires. No fault applies to OPTIONS. */
const ownHeaders: Readonly<Record<number, OwnHeaders>> = {
	401: challenge,
	405: { Allow: "OPTIONS" },
	429: { "Retry-After": "1" },
	503: { "Retry-After": "1" },
};

const bodies = {
	html: {
		body: "<!doctype html><title>Error</title><h1>Error</h1><p>This is a fault of the sandbox.</p>\n",
		mediaType: "text/html",
	},
	empty: { body: "", mediaType: "application/json" },
	garbage: {
		body: '{"code":"inter\u0000\uFFFD',
		mediaType: "application/json",
	},
};

/** Sends half of the body, then closes the connection. Without a body, closes it before the first byte. */
async function cutInHalf(response: Response): Promise<Response | "cut"> {
	const bytes = await response.bytes();
	if (bytes.length === 0) return "cut";
	const body = new ReadableStream<Uint8Array>({
		start: (controller) =>
			controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2))),
		async pull(controller) {
			// Bun resets the connection, and unsent bytes would be lost. Without an error, since Bun would print it.
			await sleep(flushMs);
			controller.error();
		},
	});
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	return new Response(body, { status: response.status, headers });
}

const flushMs = 20;
