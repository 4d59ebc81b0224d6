// What the errors of PostgreSQL and its client library mean.
import { DatabaseError } from "pg";
import { storeUnavailable, storeWroteNothing } from "../../contract/errors.ts";

/** A deadlock or a serialization failure: nothing was done, and a retry may work. */
export function isConflict(error: unknown): boolean {
	return (
		error instanceof DatabaseError && /^40(001|P01)$/.test(error.code ?? "")
	);
}

/** The server behind the connection takes no writes any more. */
export function isReadOnly(error: unknown): boolean {
	return error instanceof DatabaseError && error.code === "25006";
}

/** The query was not sent, for the reason in `cause`: for example, there is no connection. */
export class NotSent extends Error {}

/** For use in `catch`. */
export function notSent(cause: unknown): never {
	throw cause instanceof NotSent
		? cause
		: new NotSent("The query was not sent.", { cause });
}

/** The server did not answer in time, to this query or to those that set up its session. */
export function isUnanswered(error: unknown): boolean {
	const reason = error instanceof NotSent ? error.cause : error;
	return isTimeout(reason, /^Query read timeout$/);
}

/** The library's own timeouts have no code. */
function isTimeout(error: unknown, message = /timeout/i): boolean {
	return (
		error instanceof Error &&
		!(error instanceof DatabaseError) &&
		message.test(error.message)
	);
}

/** A mistake in our SQL or its data stays as it is; whatever else goes wrong with a server is `unavailable`. */
export function toFailure(error: unknown): unknown {
	if (error instanceof NotSent) return storeWroteNothing(error.cause);
	if (!(error instanceof DatabaseError)) return storeUnavailable(error);
	const { code = "" } = error;
	if (ourMistakes.test(code)) return error;
	return mayFollowCommit.test(code)
		? storeUnavailable(error)
		: storeWroteNothing(error);
}

/** A dropped table (42P01) and a revoked right (42501) are not our mistakes. */
const ourMistakes = /^(22|23|42(?!501|P01))/;

/**
 * Any other error rolls the statement back. These end the session (or come from a connection pooler), and it is not known whether
 * its commit came first. The severity would tell, but it is translated.
 */
const mayFollowCommit = /^(08|40003|57P(?!03)|58|F0|XX|$)/;

/** Why the service cannot start on this database, for a sentence. */
export function toStartProblem(error: Error): string {
	if (isTimeout(error)) return "the server does not answer";
	const code = "code" in error ? String(error.code) : "";
	return startProblems[code] ?? error.message;
}

const startProblems: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there (is PostgreSQL running?)",
	ENOTFOUND: "there is no such host",
	"28P01": "the password is wrong",
	"28000": "the server does not let this user in",
	"3D000": "the server has no such database; create it first",
	"42501": "the user may not use the schema petstore in it, or not create it",
	"55P03": "another copy of the service is changing its tables",
	"57014": "another copy of the service is changing its tables",
};
