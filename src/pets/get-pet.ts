// Gets one animal by its id, for both interfaces.
import { after } from "../async/awaitable.ts";
import { httpStatus } from "../contract/operation.ts";
import { noSuchPet, type Pet, petToJson, toPetId } from "../contract/pet.ts";
import { isMatched, type Reply, toNotModified, toTag } from "../http/reply.ts";
import type { Call, Route } from "../http/surface.ts";
import type { Catalogue } from "../store/catalogue.ts";

export function getPet(catalogue: Catalogue): Route["handle"] {
	return (call) => {
		const id = toPetId(call.segment);
		const pet = id === undefined ? undefined : catalogue.getPet(id);
		return after(pet, toReply, call);
	};
}

function toReply(pet: Pet | undefined, { request, headers }: Call): Reply {
	if (pet === undefined) throw noSuchPet();
	const { tag, reply } = toPetReply(pet, headers);
	return isMatched(request, tag) ? toNotModified(reply) : reply;
}

/** The animal with its ETag. */
export function toPetReply(
	pet: Pet,
	headers: Headers,
): { tag: string; reply: Reply } {
	const body = petToJson(pet);
	const tag = toTag(body);
	const reply = { status: httpStatus.ok, headers, own: { ETag: tag }, body };
	return { tag, reply };
}
