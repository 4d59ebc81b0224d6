// The error examples of operations in the OpenAPI document.
import {
	type ErrorBody,
	type ErrorCode,
	Failure,
	storeUnavailable,
	toErrorBody,
	withMembers,
} from "../domain/errors.ts";
import { toJsonProblem } from "../domain/json-problem.ts";
import type { KeyScope } from "../domain/key-scope.ts";
import {
	invalidKey,
	largeBody,
	missingKey,
	slowBody,
	wrongMediaType,
} from "./refusals.ts";
import { toLookupFailure } from "./retry.ts";

export type ErrorExamples = Readonly<Record<string, ErrorBody>>;

/** The source of an example: the body, the failure, or a function that returns or throws it. */
export type GivenErrors = Readonly<
	Record<string, ErrorBody | Failure | (() => unknown)>
>;

export const keyNotLookedUp = () => toLookupFailure(storeUnavailable());

export const readKey = error(
	"forbidden",
	"The API key needs the scope operator; its scope is read.",
);

/** Adds the errors that all operations of this kind share. An operation's own examples of a code replace the shared ones. */
export function withCommonErrors(
	given: GivenErrors,
	{ scope, body }: { scope?: KeyScope; body?: string },
): ErrorExamples {
	const own = toExamples(given);
	const codes = new Set(own.map(([, { code }]) => code));
	const common = toExamples({
		failure: error("internal", "The service failed."),
		storeUnavailable,
		...(scope !== undefined && anyWithKey),
		...(scope === "operator" && { readKey }),
		...(body !== undefined && anyWithBody),
	});
	const always = toExamples({
		...(scope !== undefined && { keyNotLookedUp }),
		...(body !== undefined && { notJson }),
	});
	const others = common.filter(([, { code }]) => !codes.has(code));
	return Object.fromEntries([...others, ...own, ...always]);
}

const anyWithKey = {
	noKey: missingKey,
	invalidKey,
	tooManyRequests: error(
		"rate_limited",
		"Rate limit: 100 requests a second; try again after 1 s.",
	),
};

const anyWithBody = {
	slowBody,
	largeBody: largeBody(65_536),
	mediaType: wrongMediaType("application/json"),
};

const notJson = error(
	"invalid_body",
	toJsonProblem(Buffer.from('{"name":"Rex",}'), 1),
);

export function error(code: ErrorCode, message: string): ErrorBody {
	return toErrorBody({ code, message });
}

function toExamples(given: GivenErrors): [string, ErrorBody][] {
	return Object.entries(given).map(([name, error]) => [name, toExample(error)]);
}

function toExample(given: GivenErrors[string]): ErrorBody {
	const error = typeof given === "function" ? getFailure(given) : given;
	if (!(error instanceof Failure)) return error;
	return JSON.parse(withMembers(JSON.stringify(toErrorBody(error)), error));
}

function getFailure(fail: () => unknown): Failure {
	try {
		const failure = fail();
		if (failure instanceof Failure) return failure;
	} catch (failure) {
		if (failure instanceof Failure) return failure;
	}
	throw new Error("An example of an error must fail.");
}
