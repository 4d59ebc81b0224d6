// What a command that changes animals says when the database fails: whether the change may be done, and what to do.
import { StoreFailure } from "../../contract/errors.ts";

/** `done` is what may have happened, such as "the animal was changed". Any error but one of the store stays as it is. */
export function toCommandFailure(error: unknown, done: string): unknown {
	if (!(error instanceof StoreFailure)) return error;
	const { cause, wroteNothing } = error;
	const message = wroteNothing
		? "The database cannot answer now, and nothing was changed; run the command again."
		: `It is not known whether ${done}; run the command again.`;
	return new StoreFailure(message, { cause, wroteNothing });
}
