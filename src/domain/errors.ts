// The error codes with their HTTP statuses, and two kinds of expected errors: Failure for callers of the interface, OperatorError for the
// person who runs the service.

export const errorStatus = {
	invalid_body: 400,
	invalid_parameter: 400,
	unauthenticated: 401,
	forbidden: 403,
	not_found: 404,
	method_not_allowed: 405,
	request_timeout: 408,
	conflict: 409,
	gone: 410,
	precondition_failed: 412,
	payload_too_large: 413,
	unsupported_media_type: 415,
	idempotency_mismatch: 422,
	invalid_file: 422,
	rate_limited: 429,
	internal: 500,
	unavailable: 503,
	ids_exhausted: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus).filter(isErrorCode);

function isErrorCode(text: string): text is ErrorCode {
	return text in errorStatus;
}

/**
 * Refuses a request. The caller gets the code, its status and the message, so the message must hold nothing secret. Frequent refusals share
 * one object, since a new error would take a stack trace.
 */
export class Failure extends Error {
	readonly code: ErrorCode;
	readonly headers: Readonly<Record<string, string>>;
	/** Further members of the body, as JSON texts. */
	readonly members: Readonly<Record<string, string>>;
	/** Members of the log line of the request. */
	readonly logged: Readonly<Record<string, unknown>>;

	constructor(
		code: ErrorCode,
		message: string,
		options: Partial<
			Pick<Failure, "headers" | "members" | "logged" | "cause">
		> = {},
	) {
		super(message, { cause: options.cause });
		this.code = code;
		this.headers = options.headers ?? {};
		this.members = options.members ?? {};
		this.logged = options.logged ?? {};
	}
}

/** The body of a reply. */
export function toErrorBody({ code, message, members }: Failure): string {
	const error = JSON.stringify({ code, message, status: errorStatus[code] });
	const further = Object.entries(members).map(
		([name, json]) => `,"${name}":${json}`,
	);
	return `${error.slice(0, -1)}${further.join("")}}`;
}

/** Whether the same request may succeed later. */
export function isTransient(code: ErrorCode): boolean {
	return code === "rate_limited" || code === "unavailable";
}

const retryAfter = { "Retry-After": "1" };

/** The service cannot do it now; the caller may retry. */
export function unavailable(message: string, cause?: unknown): Failure {
	return new Failure("unavailable", message, { headers: retryAfter, cause });
}

/** A failure of the database. The log counts all of them as one kind. */
export class StoreFailure extends Failure {
	/** True only if the request has certainly written nothing. */
	readonly wroteNothing: boolean;

	/** `mayRepeat`: whether the caller can repeat the request without doing it twice. */
	constructor(
		message: string,
		options: { cause?: unknown; wroteNothing?: boolean; mayRepeat?: boolean },
	) {
		const { cause, wroteNothing = false, mayRepeat = true } = options;
		const headers = mayRepeat ? retryAfter : {};
		super("unavailable", message, { headers, cause });
		this.wroteNothing = wroteNothing;
	}
}

/** The store cannot answer. It may have written. */
export function storeUnavailable(cause?: unknown): StoreFailure {
	return new StoreFailure(storeMessage, { cause });
}

/** The store cannot answer, and has certainly written nothing. */
export function storeWroteNothing(cause?: unknown): StoreFailure {
	return new StoreFailure(storeMessage, { cause, wroteNothing: true });
}

/** The cause of a failure to write within the time for it, while an import, a restore or other long work writes. */
export const lockTaken = new Error("another process or request is writing");

/** Whether other writes took too long: an expected refusal. Nothing was written. */
export function isBusy(error: unknown): error is Failure {
	return (
		error === overloaded ||
		(error instanceof StoreFailure && error.cause === lockTaken)
	);
}

/** Rewords a failure of the store for this request. Returns any other error unchanged. */
export function restate(
	error: unknown,
	nothingDone: string,
	mayBeDone: string,
	options: { mayRepeat?: boolean; wroteNothing?: boolean } = {},
): unknown {
	if (!(error instanceof StoreFailure)) return error;
	const { cause, wroteNothing } = error;
	return wroteNothing
		? new StoreFailure(nothingDone, { cause, wroteNothing })
		: new StoreFailure(mayBeDone, { cause, ...options });
}

const storeMessage = "The store cannot answer now; try again.";

export const notFlushing = new Error(
	"the disk or a standby of PostgreSQL does not answer",
);

/** Nothing becomes durable now, and what was asked for is newer than what did. What was read before can still be told. */
export const notDurableNow = storeUnavailable(notFlushing);

export const overloaded = new Failure(
	"unavailable",
	"The service is overloaded. This request was not done; try again.",
	{ headers: retryAfter },
);

/** The counter of ids and feed positions is at its end. */
export const idsExhausted = new Failure(
	"ids_exhausted",
	"All ids are used, so no animal can be added, changed or removed. Restore a backup with fewer ids.",
);

/** The message of an error, for a sentence: only the middle of "ENOENT: no such file or directory, open 'x'". */
export function toReason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { message } = error;
	return /^E[A-Z0-9]+: (.+?)(, \w+( '.*)?)?$/s.exec(message)?.[1] ?? message;
}

/** Ends a command with one sentence that says what to change. */
export class OperatorError extends Error {
	readonly exitStatus: 1 | 2;

	constructor(message: string, exitStatus: 1 | 2 = 1) {
		super(message);
		this.exitStatus = exitStatus;
	}
}
