// Translates the errors of SQLite.
import { SQLiteError } from "bun:sqlite";
import { OperatorError, storeWroteNothing } from "../../domain/errors.ts";

export function isBusy(error: unknown): boolean {
	return (
		error instanceof SQLiteError &&
		error.code?.startsWith("SQLITE_BUSY") === true
	);
}

export function isFull(error: unknown): boolean {
	return error instanceof SQLiteError && error.code === "SQLITE_FULL";
}

/** A failure of the engine or its disk before COMMIT is `unavailable`; a mistake in our SQL stays as it is. */
export function toFailure(error: unknown): unknown {
	return isEngineError(error) ? storeWroteNothing(error) : error;
}

export function isEngineError(error: unknown): boolean {
	return error instanceof SQLiteError && engineErrors.test(error.code ?? "");
}

const engineErrors =
	/^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/;

/** Turns an error at the start of a command into one sentence about the file. */
export function orOperatorError<Result>(
	path: string,
	open: () => Result,
): Result {
	try {
		return open();
	} catch (error) {
		if (!(error instanceof SQLiteError)) throw error;
		const [code = ""] = /^SQLITE_[A-Z]+/.exec(error.code ?? "") ?? [];
		const reason = openErrors[code] ?? error.message;
		throw new OperatorError(`The database ${path} cannot be used: ${reason}.`);
	}
}

/** By their primary codes: SQLITE_READONLY_DIRECTORY is a SQLITE_READONLY. */
const openErrors: Readonly<Record<string, string>> = {
	SQLITE_CANTOPEN:
		"this user cannot read and write it, or cannot create files in its folder",
	SQLITE_NOTADB: "it is not a database",
	SQLITE_READONLY:
		"this user cannot write it, or cannot create files in its folder",
};
