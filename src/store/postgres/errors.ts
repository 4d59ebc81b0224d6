// Interprets the errors of PostgreSQL and its client library.
import { DatabaseError } from "pg";
import {
	Failure,
	idsExhausted,
	lockTaken,
	OperatorError,
	StoreFailure,
	storeUnavailable,
	storeWroteNothing,
} from "../../domain/errors.ts";

/** Runs work, and interprets its error. The work calls `mayCommit` before it sends a commit: a failure before that has written nothing. */
export async function orFailure<Result>(
	work: (mayCommit: () => void) => Promise<Result>,
): Promise<Result> {
	let hasCommitted = false;
	const mayCommit = () => {
		hasCommitted = true;
	};
	try {
		return await work(mayCommit);
	} catch (error) {
		throw toFailure(error, hasCommitted);
	}
}

/**
 * A mistake in our SQL or its data stays as it is, and so does a refusal of our own. Every other error is `unavailable`; before a commit
 * was sent, it has written nothing.
 */
function toFailure(error: unknown, mayHaveCommitted: boolean): unknown {
	if (error instanceof OperatorError) return error;
	if (error instanceof Failure && !(error instanceof StoreFailure))
		return error;
	const cause = error instanceof StoreFailure ? error.cause : error;
	if (!mayHaveCommitted) return toNothingDone(cause);
	if (!(cause instanceof DatabaseError)) return storeUnavailable(cause);
	return mayFollowCommit.test(cause.code ?? "")
		? storeUnavailable(cause)
		: toNothingDone(cause);
}

function toNothingDone(cause: unknown): unknown {
	const code = cause instanceof DatabaseError ? (cause.code ?? "") : undefined;
	if (code === outOfRange) return idsExhausted;
	if (code === lockNotAvailable) return storeWroteNothing(lockTaken);
	if (code !== undefined && ourMistakes.test(code)) return cause;
	// A programming mistake in the work of a transaction.
	if (cause instanceof TypeError || cause instanceof RangeError) return cause;
	return storeWroteNothing(cause);
}

/** Only the counter of ids can leave the range of int8. */
const outOfRange = "22003";
/** After `lock_timeout`. */
const lockNotAvailable = "55P03";

/** A dropped table (42P01) and a revoked right (42501) are not our mistakes. */
const ourMistakes = /^(22|23|42(?!501|P01))/;

/**
 * Any other error rolls the transaction back. These end the session (or come from a connection pooler), and it is not known whether its
 * commit came first. The severity would tell, but it is translated.
 */
const mayFollowCommit = /^(08|40003|57P(?!03)|58|F0|XX|$)/;

/** A refusal, ours or that of a statement: the session goes on. */
export function isRefusal(error: unknown): boolean {
	return error instanceof DatabaseError
		? !mayFollowCommit.test(error.code ?? "")
		: error instanceof Failure && !(error instanceof StoreFailure);
}

/** The server has become read-only, goes down, or did not answer: other connections to it are no better. */
export function isConnectionLost(error: unknown): boolean {
	if (error instanceof DatabaseError) return lostCodes.test(error.code ?? "");
	// The library's own errors have no code.
	return (
		error instanceof Error &&
		/^Query read timeout$|terminated|ECONN|EPIPE|read-only/.test(error.message)
	);
}

/** 25P03, the end of a session that was idle in its transaction, says nothing about the others. */
const lostCodes = /^(25006|57P0[123])$/;
