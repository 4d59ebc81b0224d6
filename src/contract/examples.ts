// The errors of operations as examples: the errors of every operation of a kind, and how an error becomes an example.
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
import type { KeyScope } from "../domain/key-scope.ts";
import { toLookupFailure } from "./retry.ts";

export type ErrorExamples = Readonly<Record<string, ErrorBody>>;

export const keyNotLookedUp = refusal(toLookupFailure(storeUnavailable()));

export const invalidKey = error("unauthenticated", "The API key is not valid.");

export const readKey = error(
	"forbidden",
	"The API key needs the scope operator; its scope is read.",
);

/** Of every operation that adds or changes animals. */
export const noIdLeft = refusal(idsExhausted);

/** Adds the errors of every operation of this kind. Where an operation has a code itself, only its own examples of that code count. */
export function withCommonErrors(
	own: ErrorExamples,
	{ scope, body }: { scope?: KeyScope; body?: string },
): ErrorExamples {
	const common = {
		failure: error("internal", "The service failed."),
		storeUnavailable: refusal(storeUnavailable()),
		...(scope !== undefined && anyWithKey),
		...(scope === "operator" && { readKey }),
		...(body !== undefined && anyWithBody),
	};
	const codes = new Set(Object.values(own).map(({ code }) => code));
	return {
		...Object.fromEntries(
			Object.entries(common).filter(([, { code }]) => !codes.has(code)),
		),
		...own,
		...(scope !== undefined && { keyNotLookedUp }),
		...(body !== undefined && { notJson }),
	};
}

const anyWithKey = {
	noKey: error(
		"unauthenticated",
		'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
	),
	invalidKey,
	tooManyRequests: error(
		"rate_limited",
		"Rate limit: 100 requests a second; try again after 1 s.",
	),
};

const anyWithBody = {
	slowBody: error("request_timeout", "The body must arrive within 6 seconds."),
	largeBody: tooLarge(65_536),
	mediaType: wrongMediaType("application/json"),
};

const notJson = error(
	"invalid_body",
	toJsonProblem(Buffer.from('{"name":"Rex",}'), 1),
);

export function tooLarge(bytes: number): ErrorBody {
	return error(
		"payload_too_large",
		`The body must not be larger than ${bytes} bytes.`,
	);
}

export function wrongMediaType(right: string): ErrorBody {
	return error("unsupported_media_type", `Content-Type must be ${right}.`);
}

export function error(code: ErrorCode, message: string): ErrorBody {
	return toErrorBody({ code, message });
}

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
