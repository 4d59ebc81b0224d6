// Reads a reply: its error, its body and its deprecation notice. Defines the error of a failed call.
import { parseExactly } from "./json.ts";
import type { DeprecationNotice, Operation } from "./options.ts";

/** The store refused the call, could not be reached, or sent an invalid reply. */
export class PetstoreError extends Error {
	/**
	 * The store's code, for example `not_found`, or a code of the client: `network`, `timeout`, `http_error` (an error reply without an Error
	 * body) or `invalid_reply` (any other reply that breaks the interface).
	 */
	readonly code: string;
	/** The HTTP status; undefined without a reply. */
	readonly status: number | undefined;
	/** The `X-Request-Id` of the reply, if it has one. */
	readonly requestId: string | undefined;

	static {
		// The build minifies the class name, which Node.js prints.
		Object.defineProperty(PetstoreError, "name", { value: "PetstoreError" });
	}

	constructor(
		code: string,
		message: string,
		details: Partial<
			Pick<PetstoreError, "status" | "requestId" | "cause">
		> = {},
	) {
		const { status, requestId, cause } = details;
		super(message, cause === undefined ? {} : { cause });
		this.name = "PetstoreError";
		this.code = code;
		this.status = status;
		this.requestId = requestId;
	}
}

/** A reply that has arrived completely. */
export interface Reply {
	/** The URL after redirects. */
	readonly url: string;
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

export async function toReply(response: Response, url: string): Promise<Reply> {
	const { status, headers } = response;
	const text = await response.text();
	return { url: response.url || url, status, headers, text };
}

/** Undefined if the reply is a success, or a 304. */
export function toError(reply: Reply): PetstoreError | undefined {
	const { status, text } = reply;
	if (status < 300 || isNotModified(reply)) return undefined;
	const { code, message } = toErrorBody(text);
	return typeof code === "string" && typeof message === "string"
		? new PetstoreError(code, message, toDetails(reply))
		: new PetstoreError(
				"http_error",
				`The store answered ${status} without an Error body: ${toExcerpt(text)}`,
				toDetails(reply),
			);
}

export function isNotModified({ status }: Reply): boolean {
	return status === 304;
}

/** Parses the body and converts it with `toValue`. Errors of both become a PetstoreError. */
export function readBody<Value>(
	reply: Reply,
	toValue: (json: unknown) => Value,
): Value {
	try {
		return toValue(parseExactly(reply.text));
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : cause;
		throw new PetstoreError(
			"invalid_reply",
			`The store answered ${reply.status} with an invalid body (${reason}): ${toExcerpt(reply.text)}`,
			{ ...toDetails(reply), cause },
		);
	}
}

/** Undefined if the reply has no Deprecation header. */
export function toNotice(
	operation: Operation,
	{ headers }: Reply,
): DeprecationNotice | undefined {
	const deprecation = headers.get("Deprecation");
	if (deprecation === null) return undefined;
	// RFC 9745 has `@` and Unix seconds. Its drafts had an HTTP date, or only `true`.
	const [, seconds] = /^@(-?\d+)$/.exec(deprecation) ?? [];
	return {
		operation,
		deprecation: toDate(seconds ? Number(seconds) * 1000 : deprecation),
		sunset: toDate(headers.get("Sunset") ?? ""),
	};
}

function toDate(value: string | number): Date | undefined {
	const date = new Date(value);
	return Number.isNaN(date.getTime()) ? undefined : date;
}

function toErrorBody(text: string): { code?: unknown; message?: unknown } {
	try {
		return { ...JSON.parse(text) };
	} catch {
		return {};
	}
}

function toDetails({ status, headers }: Reply) {
	return { status, requestId: headers.get("X-Request-Id") ?? undefined };
}

/** The start of a body, on one line. */
function toExcerpt(text: string): string {
	return JSON.stringify(text.slice(0, 100));
}
