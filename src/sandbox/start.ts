// The animals that the sandbox starts with and a reset brings back: demo animals, or the tester's own.
import { closedObject } from "../domain/object.ts";
import { type Pet, petToJson } from "../domain/pet.ts";
import { whole } from "../domain/scalar.ts";
import { either, optional, requireValid, type Type } from "../domain/type.ts";
import { type FilePet, ownPets } from "../formats/pet.ts";
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

/** What a reset gives. Members that its body lacks are those of the start. */
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

const listType: Type<readonly Pet[]> = {
	schema: { type: "array", description: "Your own animals." },
	read(json, name, broken) {
		const pets: FilePet[] = [];
		for (const [index, value] of [json].flat().entries()) {
			const pet = ownPets.toRow(value);
			if (isProblems(pet)) {
				const problems = pet.map(({ message }) => message).join(" ");
				broken.push(`${name}[${index}]: ${problems}`);
				// There may be a million others.
				return [];
			}
			pets.push(pet);
		}
		return withIds(pets, (index, rule) => {
			broken.push(`${name}[${index}]: ${rule}`);
		});
	},
	fromText: (text) => text,
	write: (pets) => `[${pets.map(petToJson).join(",")}]`,
};

const resetType = closedObject("Reset", "The start of a sandbox.", {
	pets: optional(
		either(
			whole("The number of demo animals.", 0, maxDemoAnimals),
			listType,
			Array.isArray,
			"an array",
		),
	),
	seed: optional(
		whole("For demo animals and random faults.", 0, Number.MAX_SAFE_INTEGER),
	),
});

/** In the order of their ids: those that all animals have, or 1, 2, 3 and so on. */
export function withIds(
	pets: readonly FilePet[],
	onBroken: (index: number, rule: string) => void,
): readonly Pet[] {
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
