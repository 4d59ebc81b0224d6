// Whether a request can be repeated: the message of a 503. A reply has `Retry-After` only if repeating it is safe.
import { restate } from "../domain/errors.ts";

/** For a new key. Repeating the request would make a second one. */
export function toNewKeyFailure(error: unknown): unknown {
	return restate(error, noKeyMade, mayBeMade, { mayRepeat: false });
}

const noKeyMade =
	"The store cannot answer now. This request made no key; try again.";
const mayBeMade =
	"It is not known whether the key was made. List the keys. If it is there, revoke it: its secret is lost.";
