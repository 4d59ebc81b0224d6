// What a 503 says about repeating the request: whether it may have added an animal, and what to do. `Retry-After` is there only where
// repeating it cannot add a second animal.
import { StoreFailure } from "./errors.ts";

/** For an add. Any error but one of the store stays as it is. */
export function toAddFailure(
	error: unknown,
	idempotencyKey: string | undefined,
): unknown {
	if (!(error instanceof StoreFailure)) return error;
	const { cause, wroteNothing } = error;
	if (wroteNothing)
		return new StoreFailure(nothingAdded, { cause, wroteNothing });
	return idempotencyKey === undefined
		? new StoreFailure(mayBeAdded, { cause, mayRepeat: false })
		: new StoreFailure(mayBeAddedWithKey, { cause });
}

/** For any request whose API key or session could not be looked up. It has not begun, so an add may be repeated too. */
export function toLookupFailure(
	error: unknown,
	what: "API key" | "session" = "API key",
): unknown {
	if (!(error instanceof StoreFailure)) return error;
	const { cause } = error;
	return new StoreFailure(notLookedUp(what), { cause, wroteNothing: true });
}

/** "This request", since an earlier one with the same Idempotency-Key may have added the animal. */
const nothingAdded =
	"The store cannot answer now. This request added nothing; try again.";
const mayBeAdded =
	"It is not known whether the animal was added. Look for it in the list before you add it again. With an Idempotency-Key the request could be repeated safely.";
const mayBeAddedWithKey =
	"It is not known whether the animal was added; repeat the request with the same Idempotency-Key.";
const notLookedUp = (what: string) =>
	`The store cannot answer now whether the ${what} is valid. This request was not done; try again.`;
