// A surface is the part of the service below one path prefix, with its routes and its authentication. A call is a request on its way
// through it.

import { commandLine } from "../domain/access/author.ts";
import type { KeyScope } from "../domain/access/key-scope.ts";
import type { Awaitable } from "../domain/async.ts";
import type { Failure } from "../domain/errors.ts";
import type { RateLimitHeaders } from "./rate-limit.ts";
import { type Defaults, jsonHeaders, type Reply } from "./reply.ts";

export interface Surface {
	/** All paths of the surface begin with it. The surface with "" has every path that no other surface has. */
	readonly prefix: string;
	readonly routes: readonly Route[];
	/** Runs first, even before OPTIONS. Throws `forbidden`. Without it all requests are admitted. */
	readonly admit?: (request: Request) => void;
	/** Runs after `admit` and OPTIONS. Returns or throws `unauthenticated`. It returns frequent refusals, since throwing is slow. */
	readonly authenticate: (
		request: Request,
		/** By `performance.now()`, passed on because reading the clock takes time. */
		arrivedAt: number,
	) => Awaitable<Identity | Failure>;
	/** The headers of replies that belong to no route, for example a 401 or a 404. */
	readonly headers: Headers;
	/** Answers a path that it does not have. Without it, that is a `not_found`. */
	readonly answerMissing?: ((call: Call) => Awaitable<Reply>) | undefined;
	/** Whether the rate limit ignores its requests. */
	readonly isUnlimited?: boolean;
}

/** Its headers are those of every reply of the route, errors included. */
export interface Route extends Defaults {
	readonly method: string;
	/** Below the prefix; `{name}` stands for one segment. */
	readonly path: string;
	/** The name of its operation in the contract, if it has one. */
	readonly operationId?: string;
	/** The scope that the caller needs; none if undefined. */
	readonly scope?: KeyScope | undefined;
	/** Whether its requests never get a log line. */
	readonly isUnlogged?: boolean;
	readonly handle: (call: Call) => Awaitable<Reply>;
}

/** A path of the service. */
export interface KnownPath {
	/** With the prefix and `{name}`, as the log shows it. */
	readonly pattern: string;
	readonly part: string;
	/** Matches the paths with a text at `{name}`, which it finds. */
	readonly form: RegExp;
	/** By method. */
	readonly routes: ReadonlyMap<string, Route>;
	/** The methods, as the header Allow lists them. */
	readonly allow: string;
}

/** What the URL of a request names. */
export interface Target {
	readonly surface: Surface;
	/** The first segment of the path; "" if no path of the service begins with it. */
	readonly part: string;
	/** Undefined if the surface does not have this path. */
	readonly path: KnownPath | undefined;
	/** The text at `{name}` in the path, as it was sent. */
	readonly segment: string;
	/** The query string without its question mark. */
	readonly query: string;
}

/** One request, from the socket to the log. */
export interface Call extends Target {
	readonly request: Request;
	readonly method: string;
	/** Undefined if the path does not have this method. */
	readonly route: Route | undefined;
	readonly source: Source;
	/** By `performance.now()`. */
	readonly startedAt: number;
	/** Set only if every request is logged. Bun forgets the address when the client closes the connection. */
	readonly client: string | undefined;
	/** The id that the client sent, or a new one for the log. */
	requestId: string | undefined;
	/** `anonymous` until the caller is known. */
	identity: Identity;
	/** Of the reply: those of the surface until the caller is known, then those of the route, for example a deprecation. */
	headers: Headers;
	/** Set once the rate limit has accepted the request. */
	rateLimit: RateLimitHeaders | undefined;
	/** Set once it has failed. */
	failure: Failure | undefined;
}

/** Where a request comes from, and what can be done with its connection: the listener, or `noSocket` without one. */
export interface Source {
	/** Where to call the listener from this machine. */
	readonly url: () => string;
	/** As in `Target`, but of the path as it was sent; undefined if unknown. */
	readonly part: string | undefined;
	/** The address of the client, for the log. */
	readonly clientOf: (request: Request) => string | undefined;
	/** Whether a reply is the last on its connection. Bun closes the connection then. */
	readonly isClosing: () => boolean;
	/** Keeps the connection open although no byte is sent or received for this long. */
	readonly allowIdle: (request: Request, ms: number) => void;
	/** Returns a Response that closes the connection without a byte. */
	readonly cut: (request: Request) => Awaitable<Response>;
}

export const noSocket: Source = {
	url: () => "http://127.0.0.1:8080",
	part: undefined,
	clientOf: () => undefined,
	isClosing: () => false,
	allowIdle() {},
	cut: () => Response.error(),
};

export interface Identity {
	/** Idempotency-Keys and the rate limit are separate for each hash. */
	readonly keyHash: string;
	/** For the log: the id of a stored key, the name of another, or `ofLink`. */
	readonly keyId: number | string | undefined;
	/** Of what it changes: see `domain/access/author.ts`. */
	readonly author: string;
	readonly scope: KeyScope;
}

/** The `keyId` of sessions that began with a link. */
export const ofLink = "console";

export const anonymous: Identity = {
	keyHash: "",
	keyId: undefined,
	author: commandLine,
	scope: "read",
};

/** For everyone, at every path that no other surface has. */
export const openSurface: Surface = {
	prefix: "",
	authenticate: () => anonymous,
	headers: jsonHeaders,
	routes: [],
};
