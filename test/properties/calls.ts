// Generates random calls from small sets of animals, keys, ids and cursors, so that many calls concern the same ones.
import fc from "fast-check";
import { petStatuses } from "../../src/domain/pet/pet.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { toVersionCondition } from "../../src/domain/version.ts";
import type { PetChange } from "../../src/store/animals/change.ts";
import { toPet } from "../harness/pet.ts";
import {
	type Call,
	type ChangePets,
	type Copy,
	type CreatePet,
	clients,
	type GetPet,
	type ListPets,
	type Model,
} from "./model.ts";

/** A call that names ids and cursors by number, since they are known only when the call is made. */
export type Step = Pick<Call, "client" | "copy"> &
	(
		| (Omit<ListPets, "cursor"> & { readonly cursor: number | undefined })
		| CreatePet
		| (Omit<GetPet, "petId"> & { readonly petId: number })
		| (Omit<ChangePets, "changes"> & { readonly changes: readonly Change[] })
	);

interface Change extends Pick<PetChange, "set"> {
	readonly petId: number;
	/** Whether the change names the version that the animal had when the change was requested, or another one. */
	readonly names: "this" | "another" | undefined;
}

export function steps(): fc.Arbitrary<Step> {
	return fc
		.tuple(
			fc.constantFrom(...clients),
			fc.constantFrom<Copy[]>(0, 1),
			fc.oneof(listPets(), createPet(), createPet(), getPet(), changePets()),
		)
		.map(([client, copy, call]) => ({ client, copy, ...call }));
}

export function toCall(step: Step, model: Model): Call {
	switch (step.operation) {
		case "listPets": {
			const cursor = nth([...model.cursors.keys()], step.cursor);
			const { status } = model.cursors.get(cursor ?? "") ?? step;
			return { ...step, cursor, status };
		}
		case "createPet":
			return step;
		case "getPet": {
			const ids = model.pets.map(({ id }) => id);
			return { ...step, petId: nth([...ids, maxInt64], step.petId) ?? 1n };
		}
		case "changePets":
			return {
				...step,
				changes: step.changes.map((change) => toChange(change, model)),
			};
	}
}

function toChange({ petId, set, names }: Change, model: Model): PetChange {
	const { id, version } = nth(model.pets, petId) ?? { id: 1n, version: 1n };
	if (names === undefined) return { petId: id, set };
	const named = names === "this" ? version : version + 1n;
	return { petId: id, set, condition: toVersionCondition(named) };
}

function nth<Value>(
	values: readonly Value[],
	number: number | undefined,
): Value | undefined {
	return number === undefined ? undefined : values[number % values.length];
}

function listPets() {
	return fc.record({
		operation: fc.constant("listPets"),
		limit: fc.constantFrom(1, 2, 3, 100),
		status: fc.constantFrom(undefined, undefined, ...petStatuses),
		cursor: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
	});
}

function createPet() {
	return fc
		.record({
			operation: fc.constant("createPet"),
			animal: fc.constantFrom(...bodies),
			idempotencyKey: fc.constantFrom(...[undefined, undefined, "a", "b", "c"]),
		})
		.map(({ animal, ...call }) => ({ ...call, ...animal }));
}

function getPet() {
	return fc.record({
		operation: fc.constant("getPet"),
		petId: fc.nat(20),
	});
}

function changePets() {
	const change = fc.record({
		// Few, so that many changes concern the same animal.
		petId: fc.nat(3),
		set: fc.constantFrom<PetChange["set"][]>(
			{},
			{ name: "Rex" },
			{ name: "Max" },
			{ status: "pending" },
			{ categoryId: maxInt64, status: "sold" },
			undefined,
		),
		names: fc.constantFrom(
			"this",
			"this",
			"another",
			...[undefined, undefined],
		),
	});
	return fc.record({
		operation: fc.constant("changePets"),
		changes: fc.array(change, { minLength: 1, maxLength: 3 }),
	});
}

const rex = toPet({ categoryId: 10n });

/** The first two are the same animal in different JSON. */
const bodies: readonly Pick<CreatePet, "body" | "pet">[] = [
	{ body: '{"name":"Rex","categoryId":10}', pet: rex },
	{
		body: '{"categoryId":1e1,"status":"available","name":"\\u0052ex"}',
		pet: rex,
	},
	{
		body: '{"name":"Rex","categoryId":10,"status":"sold"}',
		pet: { ...rex, status: "sold" },
	},
	{
		body: '{"name":"","categoryId":-9223372036854775808,"status":"pending"}',
		pet: toPet({ name: "", categoryId: -(2n ** 63n), status: "pending" }),
	},
];
