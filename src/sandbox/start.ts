// The animals that the sandbox starts with and a reset restores: demo animals, or the tester's own.
import { Failure } from "../domain/errors.ts";
import { closedObject } from "../domain/object.ts";
import { type Pet, petToJson } from "../domain/pet.ts";
import { whole } from "../domain/scalar.ts";
import { either, optional, requireValid, type Type } from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
import { type FilePet, toFilePet } from "../formats/pet.ts";
import { isProblems } from "../formats/problem.ts";
import { readAnyBody } from "../http/body.ts";
import { maxDemoAnimals, toDemoPets } from "./demo-animals.ts";

export interface Start {
	/** The number of demo animals, or your own animals in the order of their ids. */
	readonly pets: number | readonly Pet[];
	/** For demo animals and random faults. */
	readonly seed: number;
}

/** In the order of their ids. */
export function toPets({ pets, seed }: Start): Iterable<Pet> {
	return typeof pets === "number" ? toDemoPets({ pets, seed }) : pets;
}

/** Largest body of a reset: more than a test needs, and little enough for any machine. */
const maxResetBytes = 16 * 1024 * 1024;

/** Reads the start from the body of a reset. Missing members keep their values. */
export async function readStart(
	request: Request,
	start: Start,
): Promise<Start> {
	if (hasNoBody(request.headers)) return start;
	const broken: string[] = [];
	const body = await readAnyBody(request, maxResetBytes);
	const given = resetType.read(body, "", broken);
	requireValid(broken, "invalid_body");
	const { pets = start.pets, seed = start.seed } = given;
	return { pets, seed };
}

function hasNoBody(headers: Headers): boolean {
	return (
		!headers.has("transfer-encoding") &&
		Number(headers.get("content-length") ?? 0) === 0
	);
}

const ownPets: Type<readonly Pet[]> = {
	schema: { type: "array", description: "Your own animals." },
	read: (json, name, broken) =>
		toOwnPets(Array.isArray(json) ? json : [], name, broken),
	fromText: (text) => text,
	write: (pets) => `[${pets.map(petToJson).join(",")}]`,
};

const resetType = closedObject("Reset", "The start of a sandbox.", {
	pets: optional(
		either(
			whole("The number of demo animals.", 0, maxDemoAnimals),
			ownPets,
			Array.isArray,
			"an array",
		),
	),
	seed: optional(
		whole("For demo animals and random faults.", 0, Number.MAX_SAFE_INTEGER),
	),
});

function toOwnPets(
	values: readonly unknown[],
	name: string,
	broken: string[],
): readonly Pet[] {
	// If an animal has an id, all must have one, and it is kept.
	const hasIds = values.some((value) => isObject(value) && "id" in value);
	const ids = hasIds ? "required" : "ignored";
	const pets: FilePet[] = [];
	for (const [index, value] of values.entries()) {
		const pet = toFilePet(value, ids);
		if (isProblems(pet)) {
			const problems = pet.map(({ message }) => message).join(" ");
			broken.push(`${name}[${index}]: ${problems}`);
			// There may be a million others.
			return [];
		}
		pets.push(pet);
	}
	return withIds(pets, (index, id) => {
		throw new Failure(
			"invalid_body",
			`${name}[${index}].id must be unique; ${id} is already used.`,
		);
	});
}

/** Animals without ids get ids from 1. */
export function withIds(
	pets: readonly FilePet[],
	onTwice: (index: number, id: bigint) => never,
): readonly Pet[] {
	const seen = new Set<bigint>();
	const identified = pets.map(({ id = 0n, ...pet }, index) => {
		if (id === 0n) return { id: BigInt(index + 1), ...pet };
		if (seen.has(id)) onTwice(index, id);
		seen.add(id);
		return { id, ...pet };
	});
	return identified.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
