// The error codes with their HTTP statuses, and the two kinds of expected errors: Failure is for the caller of the
// interface, OperatorError for the person who runs the service.

export const errorStatus = {
	invalid_body: 400,
	invalid_parameter: 400,
	unauthenticated: 401,
	forbidden: 403,
	not_found: 404,
	method_not_allowed: 405,
	request_timeout: 408,
	payload_too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	rate_limited: 429,
	internal: 500,
	unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every error reply. */
export interface ErrorBody {
	readonly code: ErrorCode;
	readonly message: string;
	readonly status: number;
}

/** Refuses a request. The caller gets the code, its status and the message, so the message must hold nothing secret. */
export class Failure extends Error {
	readonly code: ErrorCode;
	readonly headers: Readonly<Record<string, string>>;
	/** For `unavailable`: whether it is certain that the request has written nothing. If not, it may have. */
	readonly wroteNothing: boolean;

	constructor(code: ErrorCode, message: string, options: FailureOptions = {}) {
		super(message, { cause: options.cause });
		this.code = code;
		this.headers = options.headers ?? {};
		this.wroteNothing = options.wroteNothing ?? false;
	}
}

interface FailureOptions {
	readonly headers?: Readonly<Record<string, string>>;
	readonly cause?: unknown;
	readonly wroteNothing?: boolean;
}

/** The members in the promised order. */
export function toErrorBody({
	code,
	message,
}: Pick<Failure, "code" | "message">): ErrorBody {
	return { code, message, status: errorStatus[code] };
}

/** Whether the same request may succeed later. */
export function isTransient(code: ErrorCode): boolean {
	return code === "rate_limited" || code === "unavailable";
}

/** The service cannot do it now; the caller may retry. */
export function unavailable(
	message: string,
	options: Omit<FailureOptions, "headers"> = {},
): Failure {
	const headers = { "Retry-After": "1" };
	return new Failure("unavailable", message, { ...options, headers });
}

/** The store cannot answer. If it was to write something, it may have done so. */
export function storeUnavailable(cause?: unknown): Failure {
	return unavailable(storeMessage, { cause });
}

/** The store cannot answer, and it is certain that it has written nothing. */
export function storeWroteNothing(cause?: unknown): Failure {
	return unavailable(storeMessage, { cause, wroteNothing: true });
}

const storeMessage = "The store cannot answer now; try again.";

/**
 * There are more requests than can be answered in time; this one was not done. One object for all of them, since a refusal
 * must be cheap and an error of its own would need a stack trace.
 */
export const overloaded = unavailable(
	"More is asked than can be answered in time. This request was not done; try again.",
	{ wroteNothing: true },
);

/** The message of an error, for use in a sentence. */
export function toReason(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Ends a command with one sentence that says what to change. */
export class OperatorError extends Error {
	readonly exitStatus: 1 | 2;

	constructor(message: string, exitStatus: 1 | 2 = 1) {
		super(message);
		this.exitStatus = exitStatus;
	}
}
