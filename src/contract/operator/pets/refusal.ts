// Why a change of animals was refused: an animal is not there, or is not as the caller knows it. Nothing was done then.
import { Failure } from "../../errors.ts";
import { noSuchPet } from "../../pet.ts";
import { toEntryPath } from "./changes.ts";

type Reason = "missing" | "differs";

/** For a change of the one animal that the path names. */
export function refuseChange(reason: Reason): Failure {
	return reason === "missing"
		? noSuchPet()
		: new Failure(
				"precondition_failed",
				"The animal does not have the ETag that If-Match names; it was changed meanwhile. Nothing was done.",
			);
}

/** For the entry of a batch. */
export function refuseEntry(
	reason: Reason,
	index: number,
	petId: bigint | undefined,
): Failure {
	const path = toEntryPath(index);
	return reason === "missing"
		? new Failure(
				"not_found",
				`There is no animal ${petId} (the petId of ${path}). Nothing was done.`,
			)
		: new Failure(
				"precondition_failed",
				`The animal of ${path} does not have the ETag that ifMatch names; it was changed meanwhile. Nothing was done.`,
			);
}
