// A reply as plain data, and its conversion to a Response. Replies share Headers objects, since Bun makes a Response from one much faster
// than from a record.
import { errorStatus, type Failure, toErrorBody } from "../domain/errors.ts";
import { tagsForm } from "../domain/version.ts";
import { exposedHeaders } from "../interface/headers.ts";
import type { Unsent } from "./parts.ts";

/** What a reply has that does not say otherwise. */
export interface Defaults {
	/** 200 if not given. */
	readonly status?: number | undefined;
	/** Shared by many replies, so never changed. */
	readonly headers: Headers;
}

export interface Reply extends Partial<Defaults> {
	readonly own?: OwnHeaders;
	readonly body?: Body | undefined;
	/** `application/json` if not given. */
	readonly mediaType?: string;
	/** Adds or replaces members of its log line. */
	readonly logged?: Readonly<Record<string, unknown>>;
}

/** All replies with the same Blob share its bytes. Bun would copy an array for each. */
export type Body = string | Blob | ReadableStream<Uint8Array>;

export type OwnHeaders = Readonly<Record<string, string>>;

/** The connection is closed without a reply. */
export const noReply: Reply = { status: 0, logged: { status: undefined } };

/** Scripts of any origin may read these replies, because a browser never sends a key by itself. */
export const jsonHeaders = new Headers({
	"Content-Type": "application/json",
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Expose-Headers": [
		...Object.keys(exposedHeaders),
		"Allow",
		"Date",
		"Vary",
	].join(", "),
});

/** No CORS headers: browsers send the session cookie by themselves, so pages of other origins must not read or embed these replies. */
export const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});

/** For what only the caller may have: keys, files, the work of operators. */
export const unstoredHeaders = new Headers(operatorHeaders);
unstoredHeaders.set("Cache-Control", "no-store");

/** All headers of both. Two Link headers become one with two values. */
export function withHeaders(common: Headers, own: OwnHeaders): Headers {
	const headers = new Headers(common);
	appendHeaders(headers, own);
	return headers;
}

export function appendHeaders(headers: Headers, own: OwnHeaders): void {
	for (const name in own) headers.append(name, own[name] ?? "");
}

/** The ETag of a list. Nobody can craft two bodies with the same ETag. */
export function toTag(body: string): string {
	return `"${Bun.SHA256.hash(body, "base64url").slice(0, 22)}"`;
}

/** Whether If-None-Match names this ETag. A weak tag matches the strong one (RFC 9110). A malformed header names none. */
export function isMatched({ headers }: Request, tag: string): boolean {
	const ifNoneMatch = headers.get("if-none-match");
	if (ifNoneMatch === null) return false;
	if (ifNoneMatch === tag || ifNoneMatch === "*") return true;
	return tagsForm.test(ifNoneMatch) && ifNoneMatch.includes(tag);
}

/** The 304 for a reply that the caller already has. */
export function toNotModified({ body: _, ...reply }: Reply): Reply {
	return { ...reply, status: 304 };
}

/** The reply to a failure that many requests share is made once for each Headers object, so that a refusal is cheap. */
export function toErrorReply(common: Headers, failure: Failure): Reply {
	const replies = errorReplies.getOrInsertComputed(common, toReplies);
	const known = replies.get(failure);
	if (known !== undefined) return known;
	const headers = withHeaders(common, failure.headers);
	const status = errorStatus[failure.code];
	const reply = { status, headers, body: toErrorBody(failure) };
	replies.set(failure, reply);
	return reply;
}

const errorReplies = new WeakMap<Headers, WeakMap<Failure, Reply>>();
const toReplies = () => new WeakMap<Failure, Reply>();

export function toOptionsReply(
	request: Request,
	/** Of the surface: without those of CORS, browsers refuse calls by scripts of other origins. */
	common: Headers,
	allow: string,
): Reply {
	const isPreflight =
		request.headers.has("origin") && common.has("Access-Control-Allow-Origin");
	const preflight = isPreflight && {
		"Access-Control-Allow-Methods": allow,
		"Access-Control-Allow-Headers": toAllowedHeaders(request.headers),
		"Access-Control-Max-Age": "7200",
	};
	// For caches that store replies to OPTIONS.
	const vary = { Vary: "Origin, Access-Control-Request-Headers" };
	return {
		status: 204,
		own: { Allow: allow, ...vary, ...preflight },
	};
}

/** Everything that the browser asks for: pages may add headers, for example for tracing, which the service ignores. */
function toAllowedHeaders(headers: Headers): string {
	const asked = headers.get("access-control-request-headers") ?? "";
	return headerNames.test(asked) ? asked : readHeaders.join(", ");
}

const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** Those that the service reads. */
const readHeaders = [
	"Authorization",
	"Content-Type",
	"Idempotency-Key",
	"If-None-Match",
	"X-Request-Id",
];

/** Only text for a GET is limited: a change must be acknowledged, and a Blob costs no memory. Bun does not send the body to a HEAD. */
export function toResponse(
	{ method, route, headers: usual }: Answered,
	reply: Reply,
	unsent: Unsent,
): Response {
	const { own, body, mediaType, headers = usual } = reply;
	const status = reply.status ?? route?.status ?? 200;
	if (status === 0) return Response.error();
	const isLimited = method === "GET" && typeof body === "string";
	const sent = isLimited ? unsent.limit(body) : body;
	const response = new Response(sent, { status, headers });
	if (own !== undefined) appendHeaders(response.headers, own);
	if (body === undefined) response.headers.delete("Content-Type");
	else if (mediaType !== undefined)
		response.headers.set("Content-Type", mediaType);
	return response;
}

interface Answered extends Pick<Defaults, "headers"> {
	readonly method: string;
	readonly route: Pick<Defaults, "status"> | undefined;
}
