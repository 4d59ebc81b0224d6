// Interfaces and operations as data. Routes, scopes, deprecation headers and the OpenAPI document derive from it. An addition is anything
// that the interface document does not have.
import { type ErrorCode, errorCodes } from "../domain/errors.ts";
import type { KeyScope } from "../domain/key-scope.ts";
import type { Parameter } from "./parameter.ts";
import type { Schema } from "./schemas.ts";

export interface Interface<OperationId extends string = string> {
	readonly prefix: string;
	readonly title: string;
	readonly version: string;
	readonly summary: string;
	readonly description: string;
	readonly authentication: string;
	/** The sentence in these texts on how to get a key. A sandbox shows its own key instead. */
	readonly howToGetKey?: string;
	readonly tags: Readonly<Record<string, string>>;
	readonly operations: Readonly<Record<OperationId, Operation>>;
	readonly schemas: Readonly<Record<string, Schema>>;
	/** Whether an interface document exists. Then additions to it are marked `x-addition`. */
	readonly marksAdditions: boolean;
}

export interface Operation {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** Below the interface's prefix; `{name}` stands for one segment. */
	readonly path: string;
	/** The scope that a key needs. Undefined if no key is needed. */
	readonly scope?: KeyScope;
	readonly tag: string;
	readonly summary: string;
	readonly description: string;
	readonly pathParameters?: PathParameters;
	readonly query: readonly Parameter<unknown>[];
	readonly body?: string;
	/** An example of the body. */
	readonly example?: unknown;
	/** Examples of a file as body, by media type. */
	readonly file?: Readonly<Record<string, string>>;
	/** A Content-Type of its body besides `application/json`. */
	readonly mediaType?: string;
	/** Whether it runs only if the animal meets `If-Match`. */
	readonly honoursIfMatch?: true;
	/** What it does with the browser's session, which has a cookie. */
	readonly session?: "begins" | "reads" | "ends";
	readonly success: {
		readonly status: number;
		readonly description: string;
		/** The schema name of the reply; undefined without a body. */
		readonly body?: string;
		readonly example?: unknown;
		/** Other media types that the reply may have, each with its schema. */
		readonly otherBodies?: Readonly<Record<string, Schema>>;
		readonly headers: readonly HeaderName[];
		/** The operation that answers at the `Location` of the reply. */
		readonly located?: string;
	};
	readonly errors: readonly ErrorCode[];
	/** The errors that the interface document names. */
	readonly named?: readonly ErrorCode[];
	readonly deprecation?: Deprecation;
}

type PathParameters = Readonly<
	Record<string, Pick<Parameter<unknown>, "description" | "schema" | "example">>
>;

/** One subject of an interface. interface.ts combines them. */
export type Part = Pick<Interface, "operations" | "schemas" | "tags">;

/** An operation as written in the files: GET by default, and `errors` added to the shared ones. */
interface Described
	extends Omit<Operation, "method" | "query" | "success" | "errors"> {
	readonly method?: Operation["method"];
	readonly query?: Operation["query"];
	readonly success: Omit<Operation["success"], "status" | "headers"> & {
		readonly status?: number;
		readonly headers?: readonly HeaderName[];
	};
	readonly errors?: readonly ErrorCode[];
}

/** For operations with the same tag and scope. Each gets the path parameters that its path names. */
export function operationsOf(common: {
	readonly tag: string;
	readonly scope?: KeyScope;
	readonly pathParameters?: PathParameters;
}) {
	return (described: Omit<Described, "tag">): Operation =>
		toOperation({ ...common, ...described });
}

export function toOperation(described: Described): Operation {
	const { query = [], path, pathParameters = {} } = described;
	const codes = new Set([...(described.errors ?? []), ...sharedBy(described)]);
	return {
		method: "GET",
		...described,
		pathParameters: Object.fromEntries(
			Object.entries(pathParameters).filter(([name]) =>
				path.includes(`{${name}}`),
			),
		),
		query,
		success: { status: httpStatus.ok, headers: [], ...described.success },
		errors: errorCodes.filter((code) => codes.has(code)),
	};
}

/** The errors of every operation with such a scope and body. */
function sharedBy({ scope, body }: Described): readonly ErrorCode[] {
	return [
		...(["internal", "unavailable"] as const),
		...(scope ? (["unauthenticated", "rate_limited"] as const) : []),
		...(scope === "operator" ? (["forbidden"] as const) : []),
		...(body === undefined
			? []
			: ([
					"invalid_body",
					"request_timeout",
					"payload_too_large",
					"unsupported_media_type",
				] as const)),
	];
}

export interface Deprecation {
	readonly since: Date;
	readonly sunset: Date;
	readonly successor: string;
}

export const httpStatus = {
	ok: 200,
	created: 201,
	noContent: 204,
	notModified: 304,
} as const;

/** Reply headers, all of them additions. */
export const replyHeaders = {
	ETag: "Names this exact reply, for use in `If-None-Match`.",
	Link: "Related addresses: the next page, or the operation that replaces a deprecated one.",
	Location: "The address of the new animal.",
	Deprecation: "When the operation was deprecated, as a Unix time after `@`.",
	Sunset: "When the operation is to be removed.",
	"Idempotency-Replayed":
		"`true` when this reply repeats that of an earlier request with the same Idempotency-Key.",
	"Retry-After":
		"Seconds to wait before trying again. Only where repeating the request is safe.",
	"RateLimit-Policy":
		"Only with a rate limit: at most `q` requests at the same time, then `q` in `w` seconds.",
	RateLimit:
		"Only with a rate limit: `r` more requests are accepted now, and one more in at most `t` seconds. Each process counts separately.",
	"WWW-Authenticate": "The challenge of the bearer scheme.",
	"X-Request-Id":
		"Names this request in the log: the `X-Request-Id` of the request. Without one, the service makes an id if it logs the reply.",
} as const;

export type HeaderName = keyof typeof replyHeaders;

/** Whether `If-None-Match` can give a 304. */
export function isConditionalRead({ method, success }: Operation): boolean {
	return method === "GET" && success.headers.includes("ETag");
}
