// What the operations of one animal share.
import { noSuchPet, type StoredPet } from "../domain/pet.ts";
import { int64 } from "../domain/scalar.ts";
import { withExample } from "../domain/type.ts";
import { toPetTag } from "../domain/version.ts";
import { Answer } from "../interface/operation.ts";
import type { FoundPet } from "../store/changes.ts";
import { toEditHeader } from "./operation.ts";

export const params = {
	petId: withExample(int64("The id of the animal.", 1n), 1),
};
export const missing = noSuchPet().message;

export const rex = {
	id: 1,
	name: "Rex",
	categoryId: 1,
	status: "available",
	version: 1,
	addedAt: "2026-11-16T08:00:00.000Z",
	addedBy: { kind: "key", keyId: 1 },
};
export const tom = {
	...rex,
	id: 2,
	name: "Tom",
	status: "pending",
	version: 2,
};

export function toAnswer(pet: FoundPet, edit?: bigint): Answer<StoredPet> {
	const ETag = toPetTag(pet.epoch, pet.version);
	return new Answer(pet, { ETag, ...toEditHeader(edit) });
}
