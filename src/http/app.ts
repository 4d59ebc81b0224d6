// Answers a request: finds the surface, authenticates, finds the route, calls its handler, encodes the reply. Only this file turns errors
// into replies.
import { type Awaitable, after, isPending } from "../async/awaitable.ts";
import { Failure, isServiceCode, unavailable } from "../domain/errors.ts";
import type { FailureLog } from "../log/failures.ts";
import type { Log } from "../log/log.ts";
import { type Exchange, toExchange } from "./exchange.ts";
import type { RateLimiter } from "./rate-limit.ts";
import {
	appendHeaders,
	createErrorReplies,
	type Reply,
	toOptionsReply,
	toResponse,
} from "./reply.ts";
import { createRequestLog } from "./request-log.ts";
import { createRouter, refuseRoute, requirePath } from "./router.ts";
import {
	anonymous,
	type Identity,
	noSocket,
	requireScope,
	type Source,
	type Surface,
} from "./surface.ts";
import type { LimitUnsent } from "./unsent.ts";

/** Never throws or rejects. */
export type App = (request: Request, source?: Source) => Awaitable<Response>;

export function createApp(options: {
	surfaces: readonly Surface[];
	limitRate: RateLimiter | undefined;
	limitUnsent: LimitUnsent;
	log: Log;
	failures: FailureLog;
	/** Whether to log every request, not only failures. */
	logRequests: boolean;
	/** Called for each request with its reply. */
	count?: (exchange: Exchange, status: number, ms: number) => void;
}): App {
	const { limitRate, logRequests, count, limitUnsent } = options;
	const route = createRouter(options.surfaces);
	const { logRequest, logFailure } = createRequestLog(
		options.log,
		options.failures,
	);
	const toErrorReply = createErrorReplies();

	function app(request: Request, source = noSocket): Awaitable<Response> {
		const exchange = toExchange(request, source, route, logRequests);
		try {
			const reply = answer(exchange);
			return isPending(reply)
				? finishLater(exchange, reply)
				: finish(exchange, reply);
		} catch (error) {
			return finish(exchange, toFailureReply(exchange, error));
		}
	}

	async function finishLater(
		exchange: Exchange,
		reply: Promise<Reply>,
	): Promise<Response> {
		try {
			return finish(exchange, await reply);
		} catch (error) {
			return finish(exchange, toFailureReply(exchange, error));
		}
	}

	function answer(exchange: Exchange): Awaitable<Reply> {
		const { request, method, match, source, startedAt } = exchange;
		const { surface, firstSegment } = match;
		const { firstSegment: sent = firstSegment } = source;
		if (sent !== firstSegment) throw otherPart;
		surface.admit?.(request);
		if (method === "OPTIONS")
			return toOptionsReply(request, surface, requirePath(match).allow);
		// Before routing, so that replies to callers without a key do not depend on path and method.
		return after(surface.authenticate(request, startedAt), handle, exchange);
	}

	function handle(
		identity: Identity | Failure,
		exchange: Exchange,
	): Awaitable<Reply> {
		if (identity instanceof Failure) return toFailureReply(exchange, identity);
		const { request, method, query, match, source } = exchange;
		exchange.identity = identity;
		exchange.route = match.known?.routes.get(method);
		if (identity !== anonymous && !match.surface.isUnlimited)
			exchange.rateLimit = limitRate?.(identity.keyHash);
		const route = exchange.route ?? refuseRoute(match);
		if (route.scope !== undefined) requireScope(identity.scope, route.scope);
		const { headers } = route;
		const { segment } = match;
		return route.handle({ request, query, segment, identity, headers, source });
	}

	function toFailureReply(exchange: Exchange, error: unknown): Reply {
		const failure = error instanceof Failure ? error : toFailure(error);
		exchange.failure = failure;
		if (isServiceCode(failure.code)) exchange.requestId ??= crypto.randomUUID();
		logFailure(exchange, failure);
		const { headers } = exchange.route ?? exchange.match.surface;
		return toErrorReply(headers, failure);
	}

	function finish(exchange: Exchange, reply: Reply): Response {
		const { method, requestId, rateLimit, source, match } = exchange;
		const defaults = exchange.route ?? match.surface;
		const response = toResponse(method, reply, defaults, limitUnsent);
		const { status } = response;
		count?.(exchange, status, performance.now() - exchange.startedAt);
		if (logRequests && !match.known?.routes.get(method)?.isUnlogged)
			logRequest(exchange, status, reply.logged);
		if (requestId !== undefined)
			response.headers.set("X-Request-Id", requestId);
		if (rateLimit !== undefined) appendHeaders(response.headers, rateLimit);
		if (source.isClosing()) response.headers.set("Connection", "close");
		return response;
	}

	return app;
}

function toFailure(cause: unknown): Failure {
	// Bun could not load a module: some are loaded when they are needed.
	if (cause instanceof Error && /^(Build|Resolve)Message$/.test(cause.name))
		return unavailable(
			"The files of the service have changed since its start. Restart it.",
			cause,
		);
	return new Failure("internal", "The service failed.", { cause });
}

/** A proxy in front decides by the path as it was sent. The resolved path must lead to the same part. */
const otherPart = new Failure(
	"invalid_parameter",
	"The path must not use dot segments or backslashes to reach another part of the service.",
	{ isShared: true },
);
