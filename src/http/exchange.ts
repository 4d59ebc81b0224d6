// A request on its way to a reply.
import type { Failure } from "../domain/errors.ts";
import type { RateLimitHeaders } from "./rate-limit.ts";
import type { Match, Router } from "./router.ts";
import type { Identity, Route, Source } from "./surface.ts";

export interface Exchange {
	readonly request: Request;
	readonly method: string;
	readonly query: string;
	readonly match: Match;
	/** Set once the caller has passed authentication. */
	identity: Identity | undefined;
	/** Set with the identity: other callers do not get the headers of the route, for example a deprecation. */
	route: Route | undefined;
	failure: Failure | undefined;
	/** The id that the client sent, or a new one for the log. */
	requestId: string | undefined;
	readonly source: Source;
	/** Set only if every request is logged. Bun forgets the address when the client closes the connection. */
	readonly client: string | undefined;
	/** Set once the rate limit has accepted the request. */
	rateLimit: RateLimitHeaders | undefined;
	readonly startedAt: number;
}

export function toExchange(
	request: Request,
	source: Source,
	route: Router,
	logRequests: boolean,
): Exchange {
	const { match, query } = route(request.url);
	return {
		request,
		method: request.method,
		query,
		match,
		identity: undefined,
		route: undefined,
		failure: undefined,
		requestId:
			readRequestId(request) ?? (logRequests ? crypto.randomUUID() : undefined),
		source,
		client: logRequests ? source.clientOf(request) : undefined,
		rateLimit: undefined,
		startedAt: performance.now(),
	};
}

/** Undefined if it is malformed. Two header lines arrive joined by a space. */
function readRequestId({ headers }: Request): string | undefined {
	const id = headers.get("x-request-id");
	return id !== null && /^[\w.-]{1,64}$/.test(id) ? id : undefined;
}
