// Refusals of any operation: a missing or invalid key, or an unreadable body.
import { Failure, failing } from "../domain/errors.ts";
import { toLimitText } from "../domain/quantity.ts";
import { bodyTimeoutMs } from "../limits.ts";

/** For a missing key, then for an invalid one (RFC 6750). */
export const challenge = { "WWW-Authenticate": 'Bearer realm="petstore"' };
export const invalidToken = {
	"WWW-Authenticate": 'Bearer realm="petstore", error="invalid_token"',
};

export const missingKey = new Failure(
	"unauthenticated",
	'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
	{ headers: challenge, isShared: true },
);

export const invalidKey = new Failure(
	"unauthenticated",
	"The API key is not valid.",
	{ headers: invalidToken, isShared: true },
);

export const slowBody = failing(
	"request_timeout",
	`The body must arrive within ${bodyTimeoutMs / 1000} seconds.`,
);

export function largeBody(maxBytes: number): Failure {
	return new Failure(
		"payload_too_large",
		`The body must not be larger than ${toLimitText(maxBytes)}.`,
	);
}

export function wrongMediaType(right: string): Failure {
	return new Failure(
		"unsupported_media_type",
		`Content-Type must be ${right}.`,
	);
}

export const compressedBody = failing(
	"unsupported_media_type",
	"Content-Encoding must be identity.",
);
