// A reply as plain data, and how it becomes a web-standard Response.
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
	readonly headers?: Readonly<Record<string, string>>;
	/** JSON text. */
	readonly body?: string;
}

/** A reply that its reader may keep: 304 without a body when the request's If-None-Match names it. */
export function toConditionalReply(
	request: Request,
	body: string,
	headers: Record<string, string> = {},
): Reply {
	const tag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
	const validated = {
		...headers,
		ETag: tag,
		"Cache-Control": "private, no-cache",
	};
	return isNamed(tag, request.headers.get("if-none-match"))
		? { status: httpStatus.notModified, headers: validated }
		: { status: httpStatus.ok, headers: validated, body };
}

export function toErrorReply({ code, message, headers }: Failure): Reply {
	const status = errorStatus[code];
	const body: ErrorBody = { code, message, status };
	return { status, headers, body: JSON.stringify(body) };
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
		headers: { Allow: allow, ...preflight },
	};
}

export function toDeprecationHeaders({
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
export function joinHeaders(
	one: Reply["headers"] = {},
	other: Record<string, string>,
): Record<string, string> {
	const Link = [one.Link, other.Link].filter(Boolean).join(", ");
	return { ...one, ...other, ...(Link !== "" && { Link }) };
}

/** The reply with the headers that every one has; to HEAD without its body. */
export function toResponse(request: Request, reply: Reply): Response {
	const { status, body } = reply;
	const headers = { ...crossOrigin, ...reply.headers };
	if (body === undefined) return new Response(null, { status, headers });
	const described = { "Content-Type": "application/json", ...headers };
	return request.method === "HEAD"
		? new Response(null, {
				status,
				headers: {
					...described,
					"Content-Length": String(Buffer.byteLength(body)),
				},
			})
		: new Response(body, { status, headers: described });
}

// Any origin may call: a key is sent on purpose, never by the browser itself.
const crossOrigin = {
	"Access-Control-Allow-Origin": "*",
	"Access-Control-Expose-Headers": Object.keys(replyHeaders).join(", "),
};

/** Whether If-None-Match names this tag; a weak tag matches the strong one, as RFC 9110 has it for this header. */
function isNamed(tag: string, ifNoneMatch: string | null): boolean {
	if (ifNoneMatch === null) return false;
	return (
		ifNoneMatch === "*" ||
		(ifNoneMatch.match(/"[^"]*"/g)?.includes(tag) ?? false)
	);
}
