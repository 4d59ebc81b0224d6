// Answers a request: which part of the service, who calls, which route, its handler, the reply. It turns all errors into replies, but for
// the 503 of a start (`server.ts`).

import { includedScopes, type KeyScope } from "../domain/access/key-scope.ts";
import type { Awaitable } from "../domain/async.ts";
import { errorStatus, Failure, unavailable } from "../domain/errors.ts";
import type { FailureLog, Log } from "../log.ts";
import { isOutOfFiles } from "./open-files.ts";
import type { Unsent } from "./parts.ts";
import type { RateLimiter } from "./rate-limit.ts";
import {
	appendHeaders,
	type Reply,
	toErrorReply,
	toOptionsReply,
	toResponse,
} from "./reply.ts";
import { createRouter, refuseRoute, requirePath } from "./router.ts";
import {
	anonymous,
	type Call,
	type Identity,
	noSocket,
	type Source,
	type Surface,
} from "./surface.ts";

export interface App {
	/** Never throws or rejects. */
	readonly answer: (request: Request, source?: Source) => Awaitable<Response>;
	/** The first segments of all paths. */
	readonly parts: ReadonlySet<string>;
}

interface AppOptions {
	surfaces: readonly Surface[];
	limitRate: RateLimiter | undefined;
	unsent: Unsent;
	log: Log;
	failures: FailureLog;
	/** Whether to log every request, not only failures. */
	logRequests: boolean;
	/** Called for each request with its reply. */
	count?: (call: Call, status: number, ms: number) => void;
}

export function createApp(options: AppOptions): App {
	const { surfaces, log, failures, logRequests } = options;
	const { find, parts } = createRouter(surfaces);

	/** A list and a get need no promise: with one, they take 7 % and 13 % more processor time. */
	function answer(request: Request, source = noSocket): Awaitable<Response> {
		const call = toCall(request, source);
		try {
			const reply = enter(call);
			return reply instanceof Promise
				? reply
						.then((made) => finish(call, made))
						.catch((error) => fail(call, error))
				: finish(call, reply);
		} catch (error) {
			return fail(call, error);
		}
	}

	function toCall(request: Request, source: Source): Call {
		const { surface, part, path, segment, query } = find(request.url);
		const { method } = request;
		return {
			surface,
			part,
			path,
			segment,
			query,
			request,
			method,
			route: path?.routes.get(method),
			source,
			startedAt: performance.now(),
			client: logRequests ? source.clientOf(request) : undefined,
			requestId:
				readRequestId(request) ??
				(logRequests ? crypto.randomUUID() : undefined),
			identity: anonymous,
			headers: surface.headers,
			rateLimit: undefined,
			failure: undefined,
		};
	}

	function enter(call: Call): Awaitable<Reply> {
		const { request, surface, source, part } = call;
		if ((source.part ?? part) !== part) throw otherPart;
		if (request.headers.get("host")?.includes(", ")) throw twoHosts;
		surface.admit?.(request);
		if (call.method === "OPTIONS")
			return toOptionsReply(request, surface.headers, requirePath(call).allow);
		// Before the route counts, so that replies to callers without a key do not depend on path and method.
		const caller = surface.authenticate(request, call.startedAt);
		return caller instanceof Promise
			? caller.then((known) => handle(call, known))
			: handle(call, caller);
	}

	function handle(call: Call, caller: Identity | Failure): Awaitable<Reply> {
		if (caller instanceof Failure) return toFailureReply(call, caller);
		call.identity = caller;
		if (call.route !== undefined) call.headers = call.route.headers;
		if (caller !== anonymous && !call.surface.isUnlimited)
			call.rateLimit = options.limitRate?.(caller.keyHash);
		const { answerMissing } = call.surface;
		if (call.path === undefined && answerMissing) return answerMissing(call);
		const route = call.route ?? refuseRoute(call);
		if (route.scope !== undefined) requireScope(caller.scope, route.scope);
		return route.handle(call);
	}

	function fail(call: Call, error: unknown): Response {
		return finish(call, toFailureReply(call, error));
	}

	function toFailureReply(call: Call, error: unknown): Reply {
		const failure = error instanceof Failure ? error : toUnexpected(error);
		call.failure = failure;
		// The service has failed, not the caller.
		if (errorStatus[failure.code] >= 500) {
			call.requestId ??= crypto.randomUUID();
			failures.reportFailure(failure, toLogged(call));
		}
		return toErrorReply(call.headers, failure);
	}

	function finish(call: Call, reply: Reply): Response {
		const { route, requestId, rateLimit } = call;
		const response = toResponse(call, reply, options.unsent);
		const { status } = response;
		const ms = performance.now() - call.startedAt;
		if (status !== 0) options.count?.(call, status, ms);
		if (logRequests && !route?.isUnlogged)
			log.info("request", {
				...toLogged(call),
				status,
				ms: Math.round(ms),
				...reply.logged,
			});
		if (requestId !== undefined)
			response.headers.set("X-Request-Id", requestId);
		if (rateLimit !== undefined) appendHeaders(response.headers, rateLimit);
		if (call.source.isClosing()) response.headers.set("Connection", "close");
		// Bun adds no Date to replies to HEAD.
		if (call.method === "HEAD")
			response.headers.set("Date", new Date().toUTCString());
		return response;
	}

	return { answer, parts };
}

function toUnexpected(cause: unknown): Failure {
	return isOutOfFiles(cause)
		? unavailable("The service has too many open files; try again.")
		: new Failure("internal", "The service failed.", { cause });
}

/** Throws `forbidden` unless `scope` includes `needed`. */
export function requireScope(scope: KeyScope, needed: KeyScope): void {
	if (includedScopes[scope].includes(needed)) return;
	throw new Failure(
		"forbidden",
		`The API key needs the scope ${needed}; its scope is ${scope}.`,
	);
}

/** Undefined if it is malformed. Two header lines arrive joined by a space. */
function readRequestId({ headers }: Request): string | undefined {
	const id = headers.get("x-request-id");
	return id !== null && /^[\w.-]{1,64}$/.test(id) ? id : undefined;
}

/** No path and no query: clients put keys there by mistake. */
function toLogged(call: Call) {
	const { request, requestId, method, path, failure, identity } = call;
	return {
		requestId,
		method,
		route: path?.pattern,
		code: failure?.code,
		keyId: identity.keyId,
		client: call.client ?? call.source.clientOf(request),
		...failure?.logged,
	};
}

/** Bun joins the lines. A proxy in front may have decided by another of them (RFC 9112). */
const twoHosts = new Failure(
	"invalid_parameter",
	"A request must have one Host line.",
);

/** A proxy in front decides by the path as it was sent. The resolved path must lead to the same part. */
const otherPart = new Failure(
	"invalid_parameter",
	"The path must not use dot segments or backslashes to reach another part of the service.",
);
