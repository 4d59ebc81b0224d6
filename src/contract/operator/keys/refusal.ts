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
