// What a 503 to an add says: whether the animal may have been added, and how to repeat the request. `Retry-After` is there only
// where repeating cannot add a second animal.
import { Failure, overloaded, unavailable } from "../contract/errors.ts";

/** Any error but `unavailable` stays as it is. */
export function toAddFailure(
	error: unknown,
	idempotencyKey: string | undefined,
): unknown {
	// This one says so itself, and must be cheap.
	if (error === overloaded) return error;
	if (!(error instanceof Failure) || error.code !== "unavailable") return error;
	const { cause } = error;
	if (error.wroteNothing) return unavailable(nothingAdded, { cause });
	return idempotencyKey === undefined
		? new Failure("unavailable", mayBeAdded, { cause })
		: unavailable(mayBeAddedWithKey, { cause });
}

/** "This request", since an earlier one with the same Idempotency-Key may have added the animal. */
const nothingAdded =
	"The store cannot answer now. This request added nothing; try again.";
const mayBeAdded =
	"It is not known whether the animal was added. Look for it in the list before you add it again. A request with an Idempotency-Key could be repeated without a second animal.";
const mayBeAddedWithKey =
	"It is not known whether the animal was added; repeat the request with the same Idempotency-Key.";
