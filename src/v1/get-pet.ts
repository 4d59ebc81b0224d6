// getPet: one animal by its id. Deprecated.
import { after } from "../async/awaitable.ts";
import { Failure } from "../contract/errors.ts";
import { type Pet, petToJson, toPetId } from "../contract/pet.ts";
import { operations } from "../contract/v1.ts";
import {
	isMatched,
	type Reply,
	toChecksumTag,
	toNotModified,
} from "../http/reply.ts";
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
	if (pet === undefined)
		throw new Failure("not_found", "There is no animal with this petId.");
	const body = petToJson(pet);
	const tag = toChecksumTag(body);
	const { status } = operations.getPet.success;
	const reply = { status, headers, own: { ETag: tag }, body };
	return isMatched(request, tag) ? toNotModified(reply) : reply;
}
