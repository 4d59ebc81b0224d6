// An animal of a file: held to the rules of NewPet, with an id if ids are kept.

import { Failure } from "../domain/errors.ts";
import { isObject } from "../domain/members.ts";
import {
	isShortName,
	maxKeptId,
	maxNameBytes,
	type NewPet,
	toNewPet,
} from "../domain/pet.ts";

export interface FilePet extends NewPet {
	/** Only if ids are kept. */
	readonly id: bigint | undefined;
}

/** Takes what `parseJson` returns. Returns the animal, or the rules that are broken, each as a sentence that names the member. */
export function toFilePet(value: unknown, keepIds: boolean): FilePet | string {
	if (!isObject(value)) return "The line must be a JSON object.";
	const broken: string[] = [];
	const id = keepIds
		? toId("id" in value ? value.id : undefined, broken)
		: undefined;
	const pet = toPet(value, broken);
	if (pet === undefined || broken.length > 0) return broken.join(" ");
	const { name, categoryId, status } = pet;
	return { id, name, categoryId, status };
}

function toPet(value: object, broken: string[]): NewPet | undefined {
	try {
		const pet = toNewPet(value);
		if (isShortName(pet.name)) return pet;
		broken.push(`name must not be longer than ${maxNameBytes} bytes in JSON.`);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		broken.push(error.message);
	}
	return undefined;
}

function toId(value: unknown, broken: string[]): bigint | undefined {
	if (typeof value === "bigint" && value >= 1n && value <= maxKeptId)
		return value;
	broken.push(
		value === undefined
			? "id is required."
			: `id must be a whole number from 1 to ${maxKeptId}.`,
	);
	return undefined;
}
