// Nobody waits for an answer for ever.
import { storeUnavailable } from "../errors.ts";

/** The answer, or `unavailable` if it takes longer. */
export async function within<Result>(
	ms: number,
	answer: Promise<Result>,
): Promise<Result> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(storeUnavailable()), ms);
	try {
		return await Promise.race([answer, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
