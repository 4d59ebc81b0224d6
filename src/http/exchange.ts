// A request on its way to a reply.
import type { Awaitable } from "../async/awaitable.ts";
import { maxRequestIdLength } from "../contract/parameter.ts";
import type { Failure } from "../domain/errors.ts";
import type { RateLimitHeaders } from "./rate-limit.ts";
import type { Match } from "./router.ts";
import type { Identity } from "./surface.ts";
import type { Target } from "./target.ts";

/** One request, and what becomes known about it on the way to its reply. */
export interface Exchange {
	readonly request: Request;
	readonly method: string;
	readonly query: string;
	readonly match: Match;
	/** Set once the caller has passed authentication. */
	identity: Identity | undefined;
	failure: Failure | undefined;
	/** That of the client, or one for a reply that the log mentions. */
	requestId: string | undefined;
	readonly source: Source;
	/** Only if every request is logged: later the client may have gone, and then its address is not known. */
	readonly client: string | undefined;
	/** Set once the request is accepted, where there is a rate limit. */
	rateLimit: RateLimitHeaders | undefined;
	readonly startedAt: number;
}

/** What requests come from: a listener, or nothing. */
export interface Source {
	/** The part of the service that the target of the request names as it was sent; undefined if that is not known. */
	readonly part: string | undefined;
	/** The address of the client, for the log. */
	readonly clientOf: (request: Request) => string | undefined;
	/** Whether a reply is the last on its connection. Bun closes the connection then. */
	readonly isClosing: () => boolean;
	/** Keeps the connection open although no byte is sent or received for this long. */
	readonly allowIdle: (request: Request, ms: number) => void;
	/** In place of a reply: a Response for which the connection is closed, and no byte is sent. */
	readonly cut: (request: Request) => Awaitable<Response>;
}

export const noSocket: Source = {
	part: undefined,
	clientOf: () => undefined,
	isClosing: () => false,
	allowIdle() {},
	cut: () => Response.error(),
};

export function toExchange(
	request: Request,
	source: Source,
	findTarget: (url: string) => Target,
	logRequests: boolean,
): Exchange {
	const { match, query } = findTarget(request.url);
	return {
		request,
		method: request.method,
		query,
		match,
		identity: undefined,
		failure: undefined,
		requestId:
			readRequestId(request) ?? (logRequests ? crypto.randomUUID() : undefined),
		source,
		client: logRequests ? source.clientOf(request) : undefined,
		rateLimit: undefined,
		startedAt: performance.now(),
	};
}

/** Undefined if it is too long or not of visible ASCII characters. Two header lines arrive joined by a space. */
function readRequestId({ headers }: Request): string | undefined {
	const id = headers.get("x-request-id");
	if (id === null || id.length > maxRequestIdLength) return undefined;
	return /^[!-~]+$/.test(id) ? id : undefined;
}
