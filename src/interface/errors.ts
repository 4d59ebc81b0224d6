// The body of an error, and the meaning of each code for a caller.
import type { ErrorCode } from "../domain/errors.ts";
import { object } from "../domain/types/object.ts";
import { anyText, whole } from "../domain/types/scalar.ts";
import type { Members } from "../domain/types/type.ts";

/** `more` are the members that only some errors have. */
export function errorOf<const More extends Members>(more: More) {
	return object("Error", "Why a request was refused or failed.", {
		code: anyText("Machine-readable error code."),
		message: anyText("Human-readable description."),
		status: whole("The HTTP status code of the response.", 400, 599),
		...more,
	});
}

export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
	invalid_body:
		"The body is not JSON or breaks a rule of its schema. The message names each member and its rule.",
	invalid_parameter:
		"A parameter or a header of the request breaks its rule. The message names both.",
	unauthenticated:
		"The API key is missing, mistyped, revoked or expired, or the session has ended.",
	forbidden: "The caller is known, but may not do this. The message says why.",
	not_found:
		"The path does not exist, or no animal, key or named category has this id.",
	method_not_allowed:
		"The path does not have this method. The header `Allow` lists its methods.",
	request_timeout: "The body did not arrive in time. Nothing was done.",
	conflict:
		"The request is not possible in the present state. Nothing was done.",
	gone: "The position in the feed is of another database, or of this one before it was restored. Read again from the start.",
	precondition_failed:
		"The animal has changed: it does not have the version that the request names. Nothing was done.",
	payload_too_large:
		"The body is larger than the operation allows. The message says how large it may be.",
	unsupported_media_type:
		"The body is not declared as JSON, or it is compressed.",
	idempotency_mismatch:
		"The `Idempotency-Key` was used before, to add another animal. Use a new one.",
	invalid_file:
		"Lines of the file break rules. `errors` has the first 100 of them. Nothing was done.",
	rate_limited:
		"Too many requests with this API key, or too many attempts to sign in. Wait as many seconds as `Retry-After` says.",
	internal:
		"The service failed. Report it with the `X-Request-Id` of the reply.",
	unavailable:
		"The service cannot answer now. Where the reply has a `Retry-After`, repeating the request is safe.",
	ids_exhausted:
		"All ids are used. Nothing was done, and a retry does not help: the operator must restore a backup with fewer ids.",
};
