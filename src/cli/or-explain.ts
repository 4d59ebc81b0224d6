// Turns a failure of the system into a sentence for the user.
import { OperatorError, toReason } from "../domain/errors.ts";

/** The result of `work`. If it throws, fails with `problem` and the reason: "a.csv cannot be read: permission denied." */
export function orExplain<Result>(
	problem: string,
	work: () => Result,
	exitStatus: 1 | 2 = 1,
): Result {
	try {
		return work();
	} catch (error) {
		throw new OperatorError(`${problem}: ${toReason(error)}.`, exitStatus);
	}
}
