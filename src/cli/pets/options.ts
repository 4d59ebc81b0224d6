// The flags and arguments of the commands for animals, with the rules for their values.
import { InvalidArgumentError, Option } from "commander";
import { Failure, OperatorError } from "../../contract/errors.ts";
import { filters, type PetFilter } from "../../contract/filter.ts";
import {
	isShortName,
	maxNameBytes,
	type PetStatus,
	petStatuses,
	toName,
	toPetId,
} from "../../contract/pet.ts";
import type { DatabaseFlags } from "../options.ts";

export const statusOption = (description: string) =>
	new Option("--status <status>", description).choices(petStatuses);

export const categoryOption = (description: string) =>
	new Option("--category <id>", description).argParser(toCategory);

/** Of commands for some of the animals. */
export const filterOptions = [
	statusOption("only those with this status"),
	categoryOption("only those of this category"),
	new Option(
		"--name <part>",
		"only those whose name contains this; upper and lower case do not matter",
	),
];

export interface FilterFlags {
	readonly status?: PetStatus;
	readonly category?: bigint;
	readonly name?: string;
}

export function toFilter({ status, category, name }: FilterFlags): PetFilter {
	return { status, categoryId: category, name };
}

export const jsonOption = (description: string) =>
	new Option("--json", description);

export interface PrintFlags extends DatabaseFlags {
	readonly json?: true;
}

export function toNameValue(text: string): string {
	const broken: string[] = [];
	const name = toName(text, broken);
	if (name === undefined) throw new InvalidArgumentError(broken.join(" "));
	if (isShortName(name)) return name;
	throw new InvalidArgumentError(
		`name must not be longer than ${maxNameBytes} bytes in JSON.`,
	);
}

function toCategory(text: string): bigint | undefined {
	try {
		return filters.categoryId.read(text);
	} catch (error) {
		if (error instanceof Failure) throw new InvalidArgumentError(error.message);
		throw error;
	}
}

/** The argument of one animal. */
export function toId(text: string): bigint {
	const id = toPetId(text);
	if (id !== undefined) return id;
	throw new InvalidArgumentError(
		"It must be the id of an animal, a whole number from 1 upward.",
	);
}

export function noAnimal(id: bigint, consequence = ""): OperatorError {
	return new OperatorError(`There is no animal ${id}${consequence}.`);
}

/** The arguments of several animals, one after the other. */
export function toIds(
	text: string,
	previous: readonly bigint[] = [],
): bigint[] {
	return [...previous, toId(text)];
}

export function toLimit(text: string): number {
	if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 1 upward.");
}
