// Does changes of animals that may have conditions, so that nothing that was changed meanwhile is overwritten.
import { withTimeout } from "../../async/timeout.ts";
import {
	overloaded,
	StoreFailure,
	storeUnavailable,
	storeWroteNothing,
} from "../../contract/errors.ts";
import { fulfils } from "../../contract/if-match.ts";
import type { AskedChange } from "../../contract/operator/pets/changes.ts";
import { type Pet, petToJson } from "../../contract/pet.ts";
import { toChangeFailure } from "../../contract/retry.ts";
import { toTag } from "../../http/reply.ts";
import { operatorAnswerMs } from "../../limits.ts";
import type {
	Catalogue,
	Changed,
	ChangeRefused,
	PetChange,
} from "../../store/catalogue.ts";

type Kind = Parameters<typeof toChangeFailure>[1];

/** A condition is about the animal as it is before all the changes. `kind` is for what a 503 says. */
export function changeIfMatched(
	catalogue: Catalogue,
	asked: readonly AskedChange[],
	kind: Kind,
): Promise<Changed> {
	return asked.some(isConditional)
		? changeConditional(catalogue, asked, kind)
		: change(catalogue, asked, new Map(), kind);
}

/** Reads and then changes. Each of the two has its timeout; the two together must not take longer than one. */
function changeConditional(
	catalogue: Catalogue,
	asked: readonly AskedChange[],
	kind: Kind,
): Promise<Changed> {
	let isChanging = false;
	let isOver = false;

	async function readAndChange(): Promise<Changed> {
		const known = await readConditional(catalogue, asked).catch((error) => {
			throw error instanceof StoreFailure
				? toChangeFailure(storeWroteNothing(error.cause), kind)
				: error;
		});
		const refused = findRefused(asked, known);
		if (refused !== undefined) return refused;
		if (isOver) throw overloaded;
		isChanging = true;
		return change(catalogue, asked, known, kind);
	}

	return withTimeout(operatorAnswerMs, readAndChange(), () => {
		isOver = true;
		const failure = isChanging ? storeUnavailable() : storeWroteNothing();
		throw toChangeFailure(failure, kind);
	});
}

async function change(
	catalogue: Catalogue,
	asked: readonly AskedChange[],
	known: ReadonlyMap<bigint, Pet | undefined>,
	kind: Kind,
): Promise<Changed> {
	try {
		return await catalogue.changePets(toChanges(asked, known));
	} catch (error) {
		throw toChangeFailure(error, kind);
	}
}

/** `*` says only that the animal must be there, which every change requires. */
function isConditional({ ifMatch }: AskedChange): boolean {
	return ifMatch !== undefined && ifMatch !== "*";
}

/** The animals whose content matters, by their ids. */
async function readConditional(
	{ getPet }: Catalogue,
	asked: readonly AskedChange[],
): Promise<ReadonlyMap<bigint, Pet | undefined>> {
	const conditional = asked.filter(isConditional);
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
