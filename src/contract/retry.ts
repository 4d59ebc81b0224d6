// Whether a request can be repeated: its Idempotency-Key, and the message of a 503. A reply has `Retry-After` only if repeating cannot add
// a second animal.
import { failing, StoreFailure } from "../domain/errors.ts";
import { invalid, visibleAscii } from "./parameter.ts";

export function readIdempotencyKey(text: string | null): string | undefined {
	if (text === null) return undefined;
	// A repeated header arrives joined by a comma and a space, which makes it invalid.
	if (visibleAscii.test(text)) return text;
	throw invalid(
		"Idempotency-Key",
		"must be 1 to 255 visible ASCII characters, given once",
	);
}

export const refuseOtherAnimal = failing(
	"idempotency_mismatch",
	"Idempotency-Key was used before to add another animal.",
);

export function toAddFailure(
	error: unknown,
	idempotencyKey: string | undefined,
): unknown {
	return idempotencyKey === undefined
		? restate(error, nothingAdded, mayBeAdded, { mayRepeat: false })
		: restate(error, nothingAdded, mayBeAddedWithKey);
}

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

/** For a request whose API key or session could not be looked up. It has not started, so even an add may be repeated. */
export function toLookupFailure(
	error: unknown,
	what: "API key" | "session" = "API key",
): unknown {
	const message = `The store cannot answer now whether the ${what} is valid. This request was not done; try again.`;
	return restate(error, message, message, { wroteNothing: true });
}

/** Rewords a failure of the store for this request. Returns any other error unchanged. */
function restate(
	error: unknown,
	nothingDone: string,
	mayBeDone: string,
	options: { mayRepeat?: boolean; wroteNothing?: boolean } = {},
): unknown {
	if (!(error instanceof StoreFailure)) return error;
	const { cause, wroteNothing } = error;
	return wroteNothing
		? new StoreFailure(nothingDone, { cause, wroteNothing })
		: new StoreFailure(mayBeDone, { cause, ...options });
}

/** "This request", since an earlier one with the same Idempotency-Key may have added the animal. */
const nothingAdded =
	"The store cannot answer now. This request added nothing; try again.";
const mayBeAdded =
	"It is not known whether the animal was added. Look for it in the list before you add it again. With an Idempotency-Key the request could be repeated safely.";
const mayBeAddedWithKey =
	"It is not known whether the animal was added; repeat the request with the same Idempotency-Key.";
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
