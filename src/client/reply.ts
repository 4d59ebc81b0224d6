// A reply of the store: its body, or its error.
import { parseExactly } from "./json.ts";

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

/** Undefined if the reply is a success. */
export function toError(reply: Reply): PetstoreError | undefined {
	const { status, text } = reply;
	if (status < 300) return undefined;
	const { code, message } = toErrorBody(text);
	return typeof code === "string" && typeof message === "string"
		? new PetstoreError(code, message, toDetails(reply))
		: new PetstoreError(
				"http_error",
				`The store answered ${status} without an Error body: ${toExcerpt(text)}`,
				toDetails(reply),
			);
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
