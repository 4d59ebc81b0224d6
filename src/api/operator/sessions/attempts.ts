// Counts wrong attempts to sign in. A valid key or link always signs in, so nobody can keep others out.

import { refuseAttempt } from "../../../contract/operator/sessions.ts";
import { Failure } from "../../../domain/errors.ts";

/** Wrong attempts to sign in that a process answers with the reason in this time. A valid key or link always signs in. */
const maxWrongSignIns = 10;
const signInIntervalMs = 60_000;

/** Takes why an attempt failed, and returns what to answer: `rate_limited` in place of the reason after too many wrong ones in a minute. */
export type CountFailure = (failure: unknown) => unknown;

/** Counts in this process alone. The clock is monotonic, in milliseconds. */
export function createAttempts(
	clock: () => number = () => performance.now(),
): CountFailure {
	/** When the last wrong ones were, the oldest first. */
	const attempts: number[] = [];
	return (failure) => {
		if (!isWrong(failure)) return failure;
		const now = clock();
		const [oldest = 0] = attempts;
		const waitMs = oldest + signInIntervalMs - now;
		if (attempts.length >= maxWrongSignIns && waitMs > 0)
			return refuseAttempt(maxWrongSignIns, Math.ceil(waitMs / 1_000));
		if (attempts.length >= maxWrongSignIns) attempts.shift();
		attempts.push(now);
		return failure;
	};
}

/** A store that does not answer says nothing about the key or the link. */
function isWrong(failure: unknown): boolean {
	return (
		failure instanceof Failure &&
		(failure.code === "unauthenticated" || failure.code === "forbidden")
	);
}
