// Whether a request can be repeated: the message of a 503. A reply has `Retry-After` only if repeating it is safe.
import { restate } from "../domain/errors.ts";

/** For an import. It may be repeated with an import id. */
export function toImportFailure(
	error: unknown,
	importId: string | undefined,
): unknown {
	const mayRepeat = importId !== undefined;
	const next = mayRepeat
		? "repeat the request with the same importId."
		: "look before you repeat it. With an importId the request could be repeated safely.";
	return restate(
		error,
		nothingChanged,
		`It is not known whether the file was imported: all of it was, or nothing; ${next}`,
		{ mayRepeat },
	);
}

/** For a new key. Repeating the request would make a second one. */
export function toNewKeyFailure(error: unknown): unknown {
	return restate(error, noKeyMade, mayBeMade, { mayRepeat: false });
}

const noKeyMade =
	"The store cannot answer now. This request made no key; try again.";
const mayBeMade =
	"It is not known whether the key was made. List the keys. If it is there, revoke it: its secret is lost.";
const nothingChanged =
	"The store cannot answer now. This request changed nothing; try again.";
