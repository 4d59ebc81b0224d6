// Does changes of animals that may have conditions, so that nothing that was changed meanwhile is overwritten.
import { fulfils } from "../../contract/if-match.ts";
import { type Pet, petToJson } from "../../contract/pet.ts";
import type { AskedChange } from "../../contract/pet-changes.ts";
import { toChangeFailure } from "../../contract/retry.ts";
import { toTag } from "../../http/reply.ts";
import type {
	Catalogue,
	Changed,
	ChangeRefused,
	PetChange,
} from "../../store/catalogue.ts";

/** A condition is about the animal as it is before all the changes. `kind` is for what a 503 says. */
export async function applyChanges(
	catalogue: Catalogue,
	asked: readonly AskedChange[],
	kind: Parameters<typeof toChangeFailure>[1],
): Promise<Changed> {
	const known = await readConditional(catalogue, asked);
	const refused = findRefused(asked, known);
	if (refused !== undefined) return refused;
	try {
		return await catalogue.changePets(toChanges(asked, known));
	} catch (error) {
		throw toChangeFailure(error, kind);
	}
}

/** The animals whose content matters, by their ids. `*` says only that the animal must be there, which every change requires. */
async function readConditional(
	{ getPet }: Catalogue,
	asked: readonly AskedChange[],
): Promise<ReadonlyMap<bigint, Pet | undefined>> {
	const conditional = asked.filter(
		({ ifMatch }) => ifMatch !== undefined && ifMatch !== "*",
	);
	const ids = [...new Set(conditional.map(({ petId }) => petId))];
	return new Map(
		await Promise.all(ids.map(async (id) => [id, await getPet(id)] as const)),
	);
}

function findRefused(
	asked: readonly AskedChange[],
	known: ReadonlyMap<bigint, Pet | undefined>,
): ChangeRefused | undefined {
	for (const [index, { petId, ifMatch }] of asked.entries()) {
		if (ifMatch === undefined || ifMatch === "*") continue;
		const pet = known.get(petId);
		if (pet === undefined) return { outcome: "missing", index };
		if (!fulfils(toTag(petToJson(pet)), ifMatch))
			return { outcome: "differs", index };
	}
	return undefined;
}

/** The store compares an animal before its first change; a further change of it comes after that in the same transaction. */
function toChanges(
	asked: readonly AskedChange[],
	known: ReadonlyMap<bigint, Pet | undefined>,
): readonly PetChange[] {
	const seen = new Set<bigint>();
	return asked.map(({ petId, set }) => {
		const expected = seen.has(petId) ? undefined : known.get(petId);
		seen.add(petId);
		return { petId, set, expected };
	});
}
