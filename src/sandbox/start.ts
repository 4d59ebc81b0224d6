// The animals that the sandbox starts with and a reset brings back: demo animals, or the tester's own.

import type { NumberedPet } from "../domain/pet/pet.ts";
import { type OwnPet, ownPetType } from "../domain/pet/pet-types.ts";
import { closedObject, list } from "../domain/types/object.ts";
import { count, whole } from "../domain/types/scalar.ts";
import {
	either,
	optional,
	requireValid,
	type Type,
} from "../domain/types/type.ts";
import { readAnyBody } from "../http/body.ts";
import { maxDemoAnimals, toDemoPets } from "./demo-animals.ts";

export interface Start {
	/** The number of demo animals, or your own animals in the order of their ids. */
	readonly pets: number | readonly NumberedPet[];
	/** For demo animals and random faults: from 0 to 2^53 − 1. */
	readonly seed: number;
}

/** In the order of their ids. */
export function toPets({ pets, seed }: Start): Iterable<NumberedPet> {
	return typeof pets === "number" ? toDemoPets(pets, seed) : pets;
}

/** More than a test needs, and little enough for any machine. */
const maxBytes = 16 * 1024 * 1024;

/** What a reset gives. Members that its body lacks are those of the start. */
export async function readStart(
	request: Request,
	start: Start,
): Promise<Start> {
	if (request.body === null) return start;
	const given = await readBody(request, resetType);
	const { pets = start.pets, seed = start.seed } = given;
	if (typeof pets === "number") return { pets, seed };
	const own = withIds(pets, (index, rule) =>
		requireValid([`pets[${index}].${rule}`], "invalid_body"),
	);
	return { pets: own, seed };
}

/** Takes JSON with any Content-Type, since `curl -d` declares a form. */
export async function readBody<Value>(
	request: Request,
	type: Type<Value>,
): Promise<Value> {
	const broken: string[] = [];
	const body = type.read(await readAnyBody(request, maxBytes), "", broken);
	requireValid(broken, "invalid_body");
	return body;
}

const resetType = closedObject("Reset", "The start of a sandbox.", {
	pets: optional(
		either(
			whole("The number of demo animals.", 0, maxDemoAnimals),
			list(ownPetType, maxDemoAnimals),
			Array.isArray,
			"an array",
		),
	),
	seed: optional(count("For demo animals and random faults.")),
});

/** In the order of their ids: those that all animals have, or 1, 2, 3 and so on. */
export function withIds(
	pets: readonly OwnPet[],
	/** Throws. */
	onBroken: (index: number, rule: string) => void,
): readonly NumberedPet[] {
	const hasIds = pets.some(({ id }) => id !== undefined);
	const seen = new Set<bigint>();
	const identified = pets.map(({ id: own, ...pet }, index) => {
		const id = hasIds ? (own ?? 0n) : BigInt(index + 1);
		if (id === 0n) onBroken(index, "id is required.");
		else if (seen.has(id)) onBroken(index, `id ${id} is used twice.`);
		seen.add(id);
		return { id, ...pet };
	});
	return identified.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
