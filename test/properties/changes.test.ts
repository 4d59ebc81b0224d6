// Several changes of few animals in one call, compared with the model, which applies them one after the other.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import fc from "fast-check";
import type { NewPet, Pet } from "../../src/contract/pet.ts";
import type { Catalogue, PetChange } from "../../src/store/catalogue.ts";
import { openService, type Service, startMs } from "../service.ts";
import { answer, emptyModel, toChangedReply } from "./model.ts";
import { property } from "./property.ts";

describe.each([
	["sqlite", 300],
	["postgres", 150],
] as const)("%s", (engine, runs) => {
	let service: Service;
	beforeAll(async () => {
		service = await openService("in process", { engine });
	}, startMs);
	afterAll(() => service.close());

	property(
		"a call has the outcome of its changes one after the other, or changes nothing",
		runs,
		fc.asyncProperty(calls(), async (call) => {
			const { catalogue } = service.store;
			const pets = [
				await addRex(catalogue),
				await addRex(catalogue),
				await addRex(catalogue),
			];
			const changes = toChanges(call, pets);
			const expected = answer(
				{ ...emptyModel, pets },
				{
					call: { client: "shop", copy: 0, operation: "changePets", changes },
					choice: {},
				},
			);
			expect(toChangedReply(await catalogue.changePets(changes))).toEqual(
				expected.reply,
			);
			for (const { id } of pets)
				expect(await catalogue.getPet(id)).toMatchObject(
					expected.model.pets.find((pet) => pet.id === id),
				);
		}),
	);
});

interface Change {
	/** The number of the animal. The fourth is not there. */
	readonly number: number;
	readonly set: PetChange["set"];
	/** What differs from the animal as it is after the changes before; undefined if nothing is expected. */
	readonly differing: Partial<NewPet> | undefined;
}

/** Most changes can be done, so that many calls come to their last change. */
function calls(): fc.Arbitrary<Change[]> {
	const name = fc.constantFrom("Rex", "Max");
	const categoryId = fc.constantFrom(1n, -(2n ** 63n));
	const status = fc.constantFrom("available", "sold");
	const some = fc.record({ name, categoryId, status }, { requiredKeys: [] });
	const change = fc.record({
		number: often(fc.nat(1), fc.nat(3)),
		set: often(some, fc.constant(undefined)),
		differing: fc.oneof(fc.constant(undefined), often(fc.constant({}), some)),
	});
	return fc.array(change, { maxLength: 6, size: "max" });
}

function often<Often, Seldom>(
	usual: fc.Arbitrary<Often>,
	other: fc.Arbitrary<Seldom>,
): fc.Arbitrary<Often | Seldom> {
	return fc.oneof(
		{ weight: 9, arbitrary: usual },
		{ weight: 1, arbitrary: other },
	);
}

function toChanges(
	changes: readonly Change[],
	pets: readonly Pet[],
): readonly PetChange[] {
	const current = [...pets];
	return changes.map(({ number, set, differing }) => {
		const pet = current[number] ?? { ...rex, id: 2n ** 63n - 1n };
		if (set !== undefined) current[number] = { ...pet, ...set };
		return {
			petId: pet.id,
			set,
			expected: differing && { ...pet, ...differing },
		};
	});
}

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

async function addRex(catalogue: Catalogue): Promise<Pet> {
	const added = await catalogue.addPet(rex, undefined);
	if (added.outcome === "mismatch") throw new Error("mismatch");
	return { id: added.id, ...rex };
}
