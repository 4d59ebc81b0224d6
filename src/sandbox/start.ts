// The animals that the sandbox starts with, and that a reset brings back: demo animals, or those of the person who tests.
import { Failure } from "../domain/errors.ts";
import { isObject } from "../domain/members.ts";
import type { Pet } from "../domain/pet.ts";
import { type FilePet, toFilePet } from "../formats/pet.ts";
import { isProblems } from "../formats/problem.ts";
import { archiveRows, type Part } from "../store/archive/archive.ts";
import { type DemoStart, toDemoParts } from "./demo-animals.ts";

export interface Start {
	/** How many demo animals, or the animals themselves in the order of their ids. */
	readonly pets: number | readonly Pet[];
	/** Of the demo animals, and of faults that are random. */
	readonly seed: number;
}

/** As an archive takes them. */
export async function* toParts({ pets, seed }: Start): AsyncGenerator<Part> {
	if (typeof pets === "number") {
		const demo: DemoStart = { pets, seed };
		return yield* toDemoParts(demo);
	}
	yield { kind: "lastId", id: pets.at(-1)?.id ?? 0n };
	for (let from = 0; from < pets.length; from += archiveRows)
		yield { kind: "pets", rows: pets.slice(from, from + archiveRows) };
}

/** Takes the array of a body that `parseJson` has read. Throws `invalid_body` with the index and the member that breaks a rule. */
export function toOwnPets(values: readonly unknown[]): readonly Pet[] {
	const ids = hasId(values[0]) ? "required" : "ignored";
	const pets = values.map((value, index) => {
		const pet = toFilePet(value, ids);
		if (!isProblems(pet)) return pet;
		const problems = pet.map(({ message }) => message).join(" ");
		throw new Failure("invalid_body", `pets[${index}]: ${problems}`);
	});
	return withIds(pets, (index, id) => {
		throw new Failure(
			"invalid_body",
			`pets[${index}].id must not be ${id} again.`,
		);
	});
}

/** Whether the first animal has an id: then all must have one, and it is kept. */
export function hasId(value: unknown): boolean {
	return isObject(value) && "id" in value;
}

/** Animals without ids get those from 1. */
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
