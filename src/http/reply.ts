// A reply as plain data, and how it becomes a web-standard Response. Headers are made once where they can be: from a
// Headers object Bun makes a Response four times as fast as from a record (0.6 against 2.5 µs).
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import {
	type ErrorBody,
	errorStatus,
	type Failure,
} from "../contract/errors.ts";
import {
	httpStatus,
	type Operation,
	replyHeaders,
	versionPrefix,
} from "../contract/v1.ts";

export interface Reply {
	readonly status: number;
	/** Shared with other replies, so never changed. */
	readonly headers: Headers;
	/** What it carries beside them. */
	readonly own?: OwnHeaders;
	/** JSON text. */
	readonly body?: string | undefined;
}

export type OwnHeaders = Readonly<Record<string, string>>;

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
export function withHeaders(common: Headers, own: OwnHeaders): Headers {
	const headers = new Headers(common);
	append(headers, own);
	return headers;
}

function append(headers: Headers, own: OwnHeaders): void {
	for (const name in own) headers.append(name, own[name] ?? "");
}

/** The name of a body that its reader may keep. Also who adds animals on purpose makes no two bodies of one name. */
export function toTag(body: string): string {
	return `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
}

/** The name of a body that no caller can change, only an operator by hand: a checksum (0.14 against 0.38 µs). */
export function toChecksumTag(body: string): string {
	return `"${crc32(body).toString(36)}-${body.length}"`;
}

/** The reply, or a 304 without its body when the request's If-None-Match names it. */
export function unlessKnown(
	request: Request,
	tag: string,
	reply: Reply,
): Reply {
	return isNamed(tag, request.headers.get("if-none-match"))
		? { ...reply, status: httpStatus.notModified, body: undefined }
		: reply;
}

export function toErrorReply(common: Headers, failure: Failure): Reply {
	const { code, message } = failure;
	const status = errorStatus[code];
	const body: ErrorBody = { code, message, status };
	return {
		status,
		headers: common,
		own: failure.headers,
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
		headers: commonHeaders,
		own: { Allow: allow, ...preflight },
	};
}

/** The reply as it is sent to such a request; to HEAD without its body. */
export function toResponse(
	method: string,
	{ status, headers, own, body }: Reply,
	send: (body: string) => BodyInit,
): Response {
	const isSent = body !== undefined && method !== "HEAD";
	const response = new Response(isSent ? send(body) : null, {
		status,
		headers,
	});
	if (own !== undefined) append(response.headers, own);
	if (body === undefined) response.headers.delete("Content-Type");
	else if (!isSent)
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
