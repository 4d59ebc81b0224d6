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

/** For a change of animals, which is idempotent and may always be repeated. */
export function toChangeFailure(
	error: unknown,
	kind: keyof typeof mayBeDone,
): unknown {
	return restate(error, nothingChanged, mayBeDone[kind]);
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
const mayBeDone = {
	change:
		"It is not known whether the animal was changed. Repeat the request: it sets the same values. With If-Match, a 412 can then mean that the animal was changed.",
	removal:
		"It is not known whether the animal was removed. Repeat the request: a 404 then means that the animal is removed.",
	batch:
		"It is not known whether the changes were made: all were, or none. Repeat the request: if an animal to remove is then not found, the batch may have succeeded.",
} as const;
