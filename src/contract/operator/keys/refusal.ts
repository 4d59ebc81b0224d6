// Why a request about a key was refused.
import { Failure } from "../../errors.ts";

/** For a path that names no key. */
export function noSuchKey(): Failure {
	return new Failure("not_found", "There is no key with this id.");
}

/** For a key that cannot be used any more. */
export function refuseRotation(reason: "revoked" | "expired"): Failure {
	const problem = reason === "revoked" ? "was revoked" : "has expired";
	return new Failure(
		"conflict",
		`The key ${problem}, so it gets no other secret.`,
	);
}

/** For a key that stays. */
export function refuseForgetting(reason: "valid" | "recent"): Failure {
	return new Failure(
		"conflict",
		reason === "valid"
			? "The key is not revoked; revoke it first. It can be deleted 30 days later."
			: "The key was revoked less than 30 days ago, so it cannot be deleted yet.",
	);
}
