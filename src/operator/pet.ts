// What the operations of one animal share.
import { toKeyId, withKeyName } from "../domain/access/author.ts";
import { noSuchPet, type StoredPet } from "../domain/pet/pet.ts";
import { int64 } from "../domain/types/scalar.ts";
import { withExample } from "../domain/types/type.ts";
import { toPetTag } from "../domain/version.ts";
import { Answer, requireFound } from "../interface/operation.ts";
import type { FoundPet } from "../store/animals/change.ts";
import type { Store } from "../store/store.ts";
import { toEditHeader } from "./operation.ts";

export const params = {
	petId: withExample(int64("The id of the animal.", 1n), 1),
};
export const missing = noSuchPet().message;

/** With the names of the keys that added them. */
export async function withAuthors<Of extends StoredPet>(
	{ keys }: Pick<Store, "keys">,
	pets: readonly Of[],
): Promise<readonly Of[]> {
	if (pets.every(({ addedBy }) => toKeyId(addedBy) === undefined)) return pets;
	const names = await keys.readNames(pets.map(({ addedBy }) => addedBy));
	return pets.map((pet) => ({
		...pet,
		addedBy: withKeyName(pet.addedBy, names),
	}));
}

export async function toAnswer(
	store: Pick<Store, "keys">,
	pet: FoundPet | undefined,
	edit?: bigint,
): Promise<Answer<StoredPet>> {
	const found = requireFound(pet, missing);
	const [named] = await withAuthors(store, [found]);
	const ETag = toPetTag(found.epoch, found.version);
	return new Answer(named, { ETag, ...toEditHeader(edit) });
}
