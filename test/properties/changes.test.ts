// Compares several changes of few animals in one call with the model, which applies them one after the other.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import fc from "fast-check";
import { toVersionCondition } from "../../src/contract/version.ts";
import type { Catalogue, PetChange } from "../../src/store/catalogue.ts";
import { openService, type Service, startMs } from "../service.ts";
import {
	answer,
	emptyModel,
	toChangedReply,
	toNewVersions,
	type VersionedPet,
} from "./model.ts";
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
		"applies the changes of a call one after the other, or changes nothing",
		runs,
		fc.asyncProperty(calls(), async (call) => {
			const { catalogue } = service.store;
			const pets = [
				await addRex(catalogue),
				await addRex(catalogue),
				await addRex(catalogue),
			];
			const changes = toChanges(call, pets);
			const changed = await catalogue.changePets(changes);
			const expected = answer(
				{ ...emptyModel, pets, lastId: pets.at(-1)?.id ?? 0n },
				{
					call: { client: "shop", copy: 0, operation: "changePets", changes },
					choice: { newVersions: toNewVersions(changed) },
				},
			);
			expect(toChangedReply(changed)).toEqual(expected.reply);
			for (const { id } of pets) {
				const found = await catalogue.getPet(id);
				const pet = expected.model.pets.find((pet) => pet.id === id);
				if (pet === undefined) expect(found).toBeUndefined();
				else expect(found).toMatchObject(pet);
			}
		}),
	);
});

interface Change {
	/** The number of the animal. The fourth does not exist. */
	readonly number: number;
	readonly set: PetChange["set"];
	/** The version in the change minus the version of the animal; undefined without a version. */
	readonly distance: bigint | undefined;
}

/** Most changes succeed, so that many calls reach their last change. */
function calls(): fc.Arbitrary<Change[]> {
	const name = fc.constantFrom("Rex", "Max");
	const categoryId = fc.constantFrom(1n, -(2n ** 63n));
	const status = fc.constantFrom("available", "sold");
	const some = fc.record({ name, categoryId, status }, { requiredKeys: [] });
	const away = fc.constantFrom(-1n, 1n);
	const change = fc.record({
		number: often(fc.nat(1), fc.nat(3)),
		set: often(some, fc.constant(undefined)),
		distance: fc.oneof(fc.constant(undefined), often(fc.constant(0n), away)),
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
	pets: readonly VersionedPet[],
): readonly PetChange[] {
	return changes.map(({ number, set, distance }) => {
		const { id: petId, version } = pets[number] ?? notThere;
		return distance === undefined
			? { petId, set }
			: { petId, set, condition: toVersionCondition(version + distance) };
	});
}

const notThere = { id: 2n ** 63n - 1n, version: 1n };

const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

async function addRex(catalogue: Catalogue): Promise<VersionedPet> {
	const added = await catalogue.addPet({ pet: rex });
	if (added.outcome === "mismatch") throw new Error("mismatch");
	return { ...rex, id: added.id, version: added.id };
}
