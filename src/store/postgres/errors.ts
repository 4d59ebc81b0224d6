// Interprets the errors of PostgreSQL and its client library.
import { DatabaseError } from "pg";
import {
	idsExhausted,
	StoreFailure,
	storeUnavailable,
	storeWroteNothing,
	toReason,
} from "../../domain/errors.ts";

/** A deadlock, a serialization failure, or a row that another transaction has just added: nothing was done, and a retry may work. */
export const isConflict = toCodeTest(/^(40(001|P01)|23505)$/);

/** The query waited for another transaction for longer than `lock_timeout` allows. */
export const isLockTimeout = toCodeTest(/^55P03$/);

/** The server has become read-only. */
export const isReadOnly = toCodeTest(/^25006$/);

/** A table or a column is missing, or a page cannot be used. */
const isDamage = toCodeTest(/^(42P01|42703|XX00[12])$/);

function toCodeTest(codes: RegExp): (error: unknown) => error is DatabaseError {
	return (error): error is DatabaseError =>
		error instanceof DatabaseError && codes.test(error.code ?? "");
}

/** The query was not sent, for the reason in `cause`: for example, no connection. */
class NotSent extends Error {}

/** For `catch`. */
export function notSent(cause: unknown): never {
	throw cause instanceof NotSent
		? cause
		: new NotSent("The query was not sent.", { cause });
}

/** The server did not answer this query, or the set-up of its session, in time. */
export function isUnanswered(error: unknown): boolean {
	const reason = error instanceof NotSent ? error.cause : error;
	return isLibraryError(reason, /^Query read timeout$/);
}

/** The library's own errors have no code. */
function isLibraryError(error: unknown, message: RegExp): boolean {
	return (
		error instanceof Error &&
		!(error instanceof DatabaseError) &&
		message.test(error.message)
	);
}

/** A mistake in our SQL or its data stays as it is; every other error of a server is `unavailable`. */
export function toStoreError(error: unknown): unknown {
	if (error instanceof NotSent) return storeWroteNothing(error.cause);
	if (!(error instanceof DatabaseError)) return storeUnavailable(error);
	const { code = "" } = error;
	if (code === sequenceEnd) return idsExhausted;
	if (ourMistakes.test(code)) return error;
	return mayFollowCommit.test(code)
		? storeUnavailable(error)
		: storeWroteNothing(error);
}

/** `nextval` has no value left. */
const sequenceEnd = "2200H";

/** A dropped table (42P01) and a revoked right (42501) are not our mistakes. */
const ourMistakes = /^(22|23|42(?!501|P01))/;

/**
 * Any other error rolls the statement back. These end the session (or come from a connection pooler), and it is not known whether
 * its commit came first. The severity would tell, but it is translated.
 */
const mayFollowCommit = /^(08|40003|57P(?!03)|58|F0|XX|$)/;

/** Why a table cannot be read, if the database itself is damaged. */
export function findDamage(error: unknown): string | undefined {
	const cause = error instanceof StoreFailure ? error.cause : error;
	return isDamage(cause) ? cause.message : undefined;
}

/** Why the service cannot start on this database, for a sentence. */
export function toStartProblem(error: Error): string {
	if (isLibraryError(error, /timeout/i)) return "the server does not answer";
	// A file that the URL names, for example sslrootcert.
	const [, file] = /, open '(.*)'$/.exec(error.message) ?? [];
	if (file !== undefined)
		return `the file ${file} cannot be read: ${toReason(error)}`;
	const code = "code" in error ? String(error.code) : "";
	return startProblems[code] ?? error.message;
}

const startProblems: Readonly<Record<string, string>> = {
	ECONNREFUSED: "no server listens there (is PostgreSQL running?)",
	// A Unix socket that does not exist.
	ENOENT: "no server listens there (is PostgreSQL running?)",
	ENOTFOUND: "the host is unknown",
	"28P01": "the password is wrong",
	"28000": "the server refuses this user",
	"3D000": "the database does not exist; create it first",
	"42501": "the user may not use or create the schema petstore",
};
