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
	const id = keepIds ? toId("id" in value ? value.id : undefined) : undefined;
	const pet = toPet(value);
	if (typeof id === "string" || typeof pet === "string")
		return [id, pet].filter((part) => typeof part === "string").join(" ");
	const { name, categoryId, status } = pet;
	return { id, name, categoryId, status };
}

/** Returns the animal, or the rule that it breaks as a sentence. */
export function toPet(value: object): NewPet | string {
	try {
		const pet = toNewPet(value);
		return isShortName(pet.name)
			? pet
			: `name must not be longer than ${maxNameBytes} bytes in JSON.`;
	} catch (error) {
		if (error instanceof Failure) return error.message;
		throw error;
	}
}

function toId(value: unknown): bigint | string {
	if (value === undefined) return "id is required.";
	return typeof value === "bigint" && value >= 1n && value <= maxKeptId
		? value
		: `id must be a whole number from 1 to ${maxKeptId}.`;
}
