// Adds an animal, at most once per Idempotency-Key, for both interfaces.
import {
	readIdempotencyKey,
	refuseOtherAnimal,
	toAddFailure,
} from "../../contract/retry.ts";
import { sha256 } from "../../domain/hash.ts";
import type { Only } from "../../domain/members.ts";
import {
	type NewPet,
	type Pet,
	storedPetToJson,
	toNewPet,
} from "../../domain/pet.ts";
import { readJsonBody } from "../../http/body.ts";
import type { Route } from "../../http/surface.ts";
import type {
	Added,
	Catalogue,
	Idempotency,
	PetOrigin,
} from "../../store/catalogue.ts";

export function addPet(
	catalogue: Catalogue,
	/** The start of a Location. */
	location: string,
	toJson: (pet: Pet, origin: PetOrigin) => string,
): Route["handle"] {
	return async ({ request, identity }) => {
		const key = readIdempotencyKey(request.headers.get("idempotency-key"));
		const pet = toNewPet(await readJsonBody(request));
		const { keyHash, keyId } = identity;
		const at = Date.now();
		const by = typeof keyId === "number" ? keyId : null;
		const idempotency =
			key === undefined ? undefined : toIdempotency(keyHash, key, pet, at);
		let added: Added;
		try {
			added = await catalogue.addPet({ pet, idempotency, origin: { at, by } });
		} catch (error) {
			throw toAddFailure(error, key);
		}
		if (added.outcome === "mismatch") throw refuseOtherAnimal();
		const { id, outcome } = added;
		const own: Record<string, string> = { Location: location + id };
		if (outcome === "replayed") own["Idempotency-Replayed"] = "true";
		const { name, categoryId, status } = pet;
		const addedAt = outcome === "replayed" ? added.at : at;
		const body = toJson({ id, name, categoryId, status }, { at: addedAt, by });
		return { own, body };
	};
}

/** For the operator interface. */
export function addedPetToJson(
	{ id, name, categoryId, status }: Pet,
	{ at, by }: PetOrigin,
): string {
	return storedPetToJson({
		id,
		name,
		categoryId,
		status,
		version: id,
		addedAt: BigInt(at),
		addedBy: by === null ? null : BigInt(by),
	});
}

export function toIdempotency(
	owner: string,
	key: string,
	{ name, categoryId, status }: Only<NewPet, "name" | "categoryId" | "status">,
	at: number,
): Idempotency {
	const fingerprint = sha256(
		JSON.stringify([name, String(categoryId), status]),
		"hex",
	);
	return { owner, key, fingerprint, at };
}
