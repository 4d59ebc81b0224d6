// Gets one animal by its id, for both interfaces.
import { after } from "../../async/awaitable.ts";
import { toPetTag } from "../../contract/version.ts";
import { noSuchPet, type StoredPet, toPetId } from "../../domain/pet.ts";
import { isMatched, type Reply, toNotModified } from "../../http/reply.ts";
import type { Call, Route } from "../../http/surface.ts";
import type { Catalogue, FoundPet } from "../../store/catalogue.ts";

export type PetToJson = (pet: StoredPet) => string;

export function getPet(
	catalogue: Catalogue,
	toJson: PetToJson,
): Route["handle"] {
	function toReply(pet: FoundPet | undefined, { request }: Call): Reply {
		if (pet === undefined) throw noSuchPet();
		const reply = toPetReply(pet, toJson);
		return isMatched(request, reply.own.ETag) ? toNotModified(reply) : reply;
	}

	return (call) => {
		const id = toPetId(call.segment);
		const pet = id === undefined ? undefined : catalogue.getPet(id);
		return after(pet, toReply, call);
	};
}

export function toPetReply(
	pet: FoundPet,
	toJson: PetToJson,
): Reply & { readonly own: { readonly ETag: string } } {
	const ETag = toPetTag(pet.epoch, pet.version);
	return { own: { ETag }, body: toJson(pet) };
}
