// The errors that the operations of the operator interface have in common, and their examples.
import type { ErrorCode } from "../errors.ts";
import { error, notJson } from "../examples.ts";

/** What every operation with a key may answer. */
export const anyErrors: readonly ErrorCode[] = [
	"unauthenticated",
	"forbidden",
	"rate_limited",
	"internal",
	"unavailable",
];

/** What an operation with a body may answer besides. */
export const bodyErrors: readonly ErrorCode[] = [
	"invalid_body",
	"request_timeout",
	"payload_too_large",
	"unsupported_media_type",
];

/** The examples of `forbidden`. */
export const forbidden = {
	readKey: error(
		"forbidden",
		"The API key needs the scope operator; its scope is read.",
	),
};

/** Examples of `invalid_body`, given by their messages. */
export function invalidBody(examples: Readonly<Record<string, string>>) {
	return {
		invalid_body: {
			notJson,
			...Object.fromEntries(
				Object.entries(examples).map(([name, message]) => [
					name,
					error("invalid_body", message),
				]),
			),
		},
	};
}
