// A reply as plain data, and how it becomes a web-standard Response. Headers are made once where they can be: from a
// Headers object Bun makes a Response four times as fast as from a record (0.6 against 2.5 µs).
import { hash } from "node:crypto";
import {
	httpStatus,
	type Operation,
	replyHeaders,
	versionPrefix,
} from "./contract.ts";
import { type ErrorBody, errorStatus, type Failure } from "./errors.ts";

export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	/** JSON text. */
	readonly body?: string;
}

/** What every reply carries. Any origin may call: a key is sent on purpose, never by the browser itself. */
export const commonHeaders = new Headers({
	"Content-Type": "application/json",
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Expose-Headers": Object.keys(replyHeaders).join(", "),
});

/** What every reply of an operation carries. */
export function toOperationHeaders({
	method,
	deprecation,
}: Operation): Headers {
	return withHeaders(commonHeaders, {
		...(method === "GET" && { "Cache-Control": "private, no-cache" }),
		...(deprecation && toDeprecationHeaders(deprecation)),
	});
}

function toDeprecationHeaders({
	since,
	sunset,
	successor,
}: NonNullable<Operation["deprecation"]>): Record<string, string> {
	return {
		Deprecation: `@${since.getTime() / 1000}`,
		Sunset: sunset.toUTCString(),
		Link: `<${versionPrefix}${successor}>; rel="successor-version"`,
	};
}

/** Both; a Link in each becomes one with two. */
function withHeaders(
	common: Headers,
	own: Readonly<Record<string, string>>,
): Headers {
	const headers = new Headers(common);
	for (const [name, value] of Object.entries(own)) headers.append(name, value);
	return headers;
}

/** A body that its reader may keep, under its tag. */
export interface Content {
	readonly body: string;
	readonly tag: string;
	readonly headers: Headers;
}

export function toContent(common: Headers, body: string): Content {
	const tag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
	const headers = new Headers(common);
	headers.set("ETag", tag);
	return { body, tag, headers };
}

/** 304 without a body when the request's If-None-Match names the content. */
export function toConditionalReply(
	request: Request,
	{ body, tag, headers }: Content,
): Reply {
	return isNamed(tag, request.headers.get("if-none-match"))
		? { status: httpStatus.notModified, headers }
		: { status: httpStatus.ok, headers, body };
}

export function toErrorReply(common: Headers, failure: Failure): Reply {
	const { code, message } = failure;
	const status = errorStatus[code];
	const body: ErrorBody = { code, message, status };
	return {
		status,
		headers: withHeaders(common, failure.headers),
		body: JSON.stringify(body),
	};
}

/** What OPTIONS is answered on a path with these methods. */
export function toOptionsReply(request: Request, allow: string): Reply {
	const preflight = request.headers.has("origin") && {
		"Access-Control-Allow-Methods": allow,
		"Access-Control-Allow-Headers":
			"Authorization, Content-Type, Idempotency-Key, If-None-Match",
		"Access-Control-Max-Age": "7200",
	};
	return {
		status: httpStatus.noContent,
		headers: withHeaders(commonHeaders, { Allow: allow, ...preflight }),
	};
}

/** The reply as it is sent; to HEAD without its body. */
export function toResponse(
	request: Request,
	{ status, headers, body }: Reply,
	send: (body: string) => BodyInit,
): Response {
	if (body === undefined) {
		const response = new Response(null, { status, headers });
		response.headers.delete("Content-Type");
		return response;
	}
	if (request.method !== "HEAD")
		return new Response(send(body), { status, headers });
	const response = new Response(null, { status, headers });
	response.headers.set("Content-Length", String(Buffer.byteLength(body)));
	return response;
}

/** Whether If-None-Match names this tag; a weak tag matches the strong one, as RFC 9110 has it for this header. */
function isNamed(tag: string, ifNoneMatch: string | null): boolean {
	if (ifNoneMatch === null) return false;
	return (
		ifNoneMatch === "*" ||
		(ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false)
	);
}
