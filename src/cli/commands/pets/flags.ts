// The flags and arguments of the commands for animals, with the rules for their values.
import {
	type Command,
	InvalidArgumentError,
	Option,
	type OptionValues,
} from "@commander-js/extra-typings";
import { filters } from "../../../contract/filter.ts";
import { Failure, OperatorError } from "../../../domain/errors.ts";
import type { PetFilter } from "../../../domain/filter.ts";
import { petStatuses, toPetId } from "../../../domain/pet.ts";
import { refuse } from "../../flags.ts";

const statusOption = (description: string) =>
	new Option("--status <status>", description).choices(petStatuses);

const categoryOption = (description: string) =>
	new Option("--category <id>", description).argParser(toCategory);

/** Adds the flags that select animals. */
export function addFilters<Args extends unknown[], Flags extends OptionValues>(
	command: Command<Args, Flags>,
) {
	return command
		.addOption(statusOption("only animals with this status"))
		.addOption(categoryOption("only animals of this category"))
		.option(
			"--name <part>",
			"only animals whose name contains this text; case is ignored",
		);
}

type FilterFlags = ReturnType<
	ReturnType<typeof addFilters<[], Record<never, never>>>["opts"]
>;

export function toFilter({ status, category, name }: FilterFlags): PetFilter {
	return { status, categoryId: category, name };
}

function toCategory(text: string): bigint {
	try {
		return filters.categoryId.read(text) ?? refuse("a whole number");
	} catch (error) {
		if (error instanceof Failure) throw new InvalidArgumentError(error.message);
		throw error;
	}
}

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
