// Why a change of animals was refused: an animal is not there, or has another version than the caller knows. Nothing was done then.
import { Failure } from "../../errors.ts";
import { noSuchPet, type StoredPet, storedPetToJson } from "../../pet.ts";
import { toEntryPath } from "./changes.ts";

type Reason =
	| { readonly outcome: "missing" }
	| { readonly outcome: "differs"; readonly pet: StoredPet };

/** For a change of the one animal that the path names. */
export function refuseChange(reason: Reason): Failure {
	return reason.outcome === "missing"
		? noSuchPet()
		: new Failure(
				"precondition_failed",
				"The animal does not have the ETag that If-Match names; it was changed meanwhile. Nothing was done.",
				{ members: { pet: storedPetToJson(reason.pet) } },
			);
}

/** For the entry of a batch. */
export function refuseEntry(
	reason: Reason & { readonly index: number },
	petId: bigint | undefined,
): Failure {
	const path = toEntryPath(reason.index);
	const index = `${reason.index}`;
	return reason.outcome === "missing"
		? new Failure(
				"not_found",
				`There is no animal ${petId} (the petId of ${path}). Nothing was done.`,
				{ members: { index } },
			)
		: new Failure(
				"precondition_failed",
				`The animal of ${path} has another version; it was changed meanwhile. Nothing was done.`,
				{ members: { index, pet: storedPetToJson(reason.pet) } },
			);
}
