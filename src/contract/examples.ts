// The examples of an operation: requests and their replies. Messages come from the functions that make them, where the contract has
// these.
import {
	type ErrorBody,
	type ErrorCode,
	Failure,
	idsExhausted,
	storeUnavailable,
	toErrorBody,
	withMembers,
} from "./errors.ts";
import { toJsonProblem } from "./json-problem.ts";
import { toLookupFailure } from "./retry.ts";

/** Values by the names of the examples. */
export type Examples = Readonly<Record<string, unknown>>;

export interface OperationExamples {
	readonly request?: Examples;
	readonly success: Examples;
	readonly errors: Readonly<Partial<Record<ErrorCode, Examples>>>;
}

/** Errors that every operation with a key has. */
export const everyOperation = {
	unauthenticated: {
		noKey: error(
			"unauthenticated",
			'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
		),
		invalidKey: error("unauthenticated", "The API key is not valid."),
	},
	rate_limited: {
		tooManyRequests: error(
			"rate_limited",
			"This API key may ask 100 times a second; try again after 1 s.",
		),
	},
	internal: { failure: error("internal", "The service failed.") },
};

/** Of every operation that adds or changes animals. */
export const exhausted = { noIdLeft: toErrorBody(idsExhausted) };

export const keyNotLookedUp = refusal(toLookupFailure(storeUnavailable()));

/** Errors of every operation that only reads. */
export const anyRead = {
	...everyOperation,
	unavailable: {
		storeUnavailable: toErrorBody(storeUnavailable()),
		keyNotLookedUp,
	},
};

/** Errors of every operation that has a JSON body. */
export const anyBody = {
	request_timeout: {
		slowBody: error(
			"request_timeout",
			"The body must arrive within 6 seconds.",
		),
	},
	payload_too_large: {
		largeBody: error(
			"payload_too_large",
			"The body must not be larger than 65536 bytes.",
		),
	},
	unsupported_media_type: {
		mediaType: error(
			"unsupported_media_type",
			"Content-Type must be application/json.",
		),
	},
};

export const notJson = error(
	"invalid_body",
	toJsonProblem(Buffer.from('{"name":"Rex",}'), 1),
);

export function error(code: ErrorCode, message: string): ErrorBody {
	return toErrorBody({ code, message });
}

/** The error with which a part of a request is refused. */
export function errorOf(read: () => unknown): ErrorBody {
	try {
		return refusal(read());
	} catch (failure) {
		return refusal(failure);
	}
}

export function refusal(failure: unknown): ErrorBody {
	if (!(failure instanceof Failure)) throw failure;
	return JSON.parse(withMembers(JSON.stringify(toErrorBody(failure)), failure));
}
