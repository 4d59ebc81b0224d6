// Limits how often anyone may try to sign in, so that keys and links cannot be guessed. Sessions that are there already go on.
import { refuseAttempt } from "../../contract/operator/session-refusal.ts";
import { maxSignIns, signInIntervalMs } from "../../limits.ts";

/** Counts an attempt. Throws `rate_limited` if there were too many in the last minute. */
export type CountAttempt = () => void;

/** Counts in this process alone. The clock is monotonic, in milliseconds. */
export function createAttempts(
	clock: () => number = () => performance.now(),
): CountAttempt {
	/** When the last ones were, the oldest first. */
	const attempts: number[] = [];
	return () => {
		const now = clock();
		const [oldest = 0] = attempts;
		const waitMs = oldest + signInIntervalMs - now;
		if (attempts.length >= maxSignIns && waitMs > 0)
			throw refuseAttempt(maxSignIns, Math.ceil(waitMs / 1_000));
		if (attempts.length >= maxSignIns) attempts.shift();
		attempts.push(now);
	};
}
