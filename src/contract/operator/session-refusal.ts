// Why a request that signs in, or that has the cookie of a session, was refused.
import { Failure } from "../errors.ts";

/** For a request that does not come from one of our own pages. */
export function refuseOrigin(): Failure {
	return new Failure(
		"forbidden",
		"A request with the cookie of a session, or one that signs in, must come from a page of this service: it needs Sec-Fetch-Site: same-origin or, without that header, an Origin that is the Host.",
	);
}

/** For a link that does not sign in. */
export function refuseLink(headers: Failure["headers"] = {}): Failure {
	return new Failure(
		"unauthenticated",
		"The link is not valid: it was used before, is older than 10 minutes, or was made for another database. Make another with petstore console.",
		{ headers },
	);
}

/** For a wrong attempt to sign in after `max` of them in a minute. */
export function refuseAttempt(max: number, seconds: number): Failure {
	return new Failure(
		"rate_limited",
		`At most ${max} wrong attempts to sign in are answered a minute; try again after ${seconds} s.`,
		{ headers: { "Retry-After": String(seconds) } },
	);
}
