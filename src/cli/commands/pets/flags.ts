// The argument of a command for an animal.
import { OperatorError } from "../../../domain/errors.ts";
import { toPetId } from "../../../domain/pet.ts";
import { refuse } from "../../flags.ts";

export function toId(text: string): bigint {
	return (
		toPetId(text) ?? refuse("the id of an animal, a whole number from 1 upward")
	);
}

export function noAnimal(id: bigint): OperatorError {
	return new OperatorError(`No animal has the id ${id}.`);
}

/** Makes an empty name visible. */
export function toShownName(name: string): string {
	return name === "" ? '""' : name;
}
