// The examples of errors that several operations have. Messages come from the functions that make them, where the contract has these.
import {
	type ErrorBody,
	type ErrorCode,
	Failure,
	idsExhausted,
	storeUnavailable,
	toErrorBody,
	withMembers,
} from "../domain/errors.ts";
import { toJsonProblem } from "../domain/json-problem.ts";
import { toLookupFailure } from "./retry.ts";

export const keyNotLookedUp = refusal(toLookupFailure(storeUnavailable()));

export const serviceFailed = {
	failure: error("internal", "The service failed."),
};

/** Errors of every operation with a key. One that writes has another `unavailable`. */
export const anyOperation = {
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
			"Rate limit: 100 requests a second; try again after 1 s.",
		),
	},
	internal: serviceFailed,
	unavailable: {
		storeUnavailable: toErrorBody(storeUnavailable()),
		keyNotLookedUp,
	},
};

/** Of every operation that adds or changes animals. */
export const noIdLeft = {
	ids_exhausted: { noIdLeft: toErrorBody(idsExhausted) },
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
