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
		const known = await readAll(catalogue, asked).catch((error) => {
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
		const done = await catalogue.changePets(toChanges(asked, known));
		return done.outcome === "differs" ? toConditional(asked, done) : done;
	} catch (error) {
		throw toChangeFailure(error, kind);
	}
}

/** The store names the first change of an animal; its condition may be that of a later one. */
function toConditional(
	asked: readonly AskedChange[],
	{ outcome, index }: ChangeRefused,
): ChangeRefused {
	const petId = asked[index]?.petId;
	const conditional = asked.findIndex(
		(change) => change.petId === petId && isConditional(change),
	);
	return { outcome, index: conditional };
}

/** `*` says only that the animal must be there, which every change requires. */
function isConditional({ ifMatch }: AskedChange): boolean {
	return ifMatch !== undefined && ifMatch !== "*";
}

/** All animals, also those without a condition: one that is not there may be the first reason to refuse. */
async function readAll(
	{ getPet }: Catalogue,
	asked: readonly AskedChange[],
): Promise<ReadonlyMap<bigint, Pet | undefined>> {
	const ids = [...new Set(asked.map(({ petId }) => petId))];
	return new Map(
		await Promise.all(ids.map(async (id) => [id, await getPet(id)] as const)),
	);
}

/** The first change that cannot be done, for whatever reason. */
function findRefused(
	asked: readonly AskedChange[],
	known: ReadonlyMap<bigint, Pet | undefined>,
): ChangeRefused | undefined {
	const removed = new Set<bigint>();
	for (const [index, { petId, set, ifMatch }] of asked.entries()) {
		const pet = known.get(petId);
		if (pet === undefined || removed.has(petId))
			return { outcome: "missing", index };
		if (ifMatch !== undefined && !fulfils(toTag(petToJson(pet)), ifMatch))
			return { outcome: "differs", index };
		if (set === undefined) removed.add(petId);
	}
	return undefined;
}

/**
 * Of an animal with a condition, the store compares the content before its first change; a further change of it comes after that in the
 * same transaction.
 */
function toChanges(
	asked: readonly AskedChange[],
	known: ReadonlyMap<bigint, Pet | undefined>,
): readonly PetChange[] {
	const unseen = new Set(asked.filter(isConditional).map(({ petId }) => petId));
	return asked.map(({ petId, set }) => ({
		petId,
		set,
		expected: unseen.delete(petId) ? known.get(petId) : undefined,
	}));
}
