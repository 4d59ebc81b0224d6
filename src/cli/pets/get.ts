// `petstore pets get`: one animal, line by line.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { type Pet, petToJson } from "../../contract/pet.ts";
import { toFacts } from "../facts.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { print } from "../print.ts";
import { toPrintable } from "../text-width.ts";
import { readCatalogue } from "./catalogue.ts";
import { jsonOption, toId } from "./options.ts";

export function addGet(pets: Command): void {
	const command = pets
		.command("get")
		.description("show one animal")
		.argument("<id>", "the id of the animal", toId)
		.addOption(jsonOption("print a JSON object"))
		.addOption(databaseOption)
		.addHelpText("after", "\nExamples:\n  petstore pets get 17")
		.action((id: bigint) => getPet(id, command.optsWithGlobals<PrintFlags>()));
}

export interface PrintFlags extends DatabaseFlags {
	readonly json?: true;
}

async function getPet(id: bigint, flags: PrintFlags): Promise<void> {
	const pet = await readCatalogue(flags, async ({ getPet }) => getPet(id));
	if (pet === undefined) throw noAnimal(id);
	print(flags.json ? `${petToJson(pet)}\n` : toFacts(toLines(pet)));
}

function toLines({ id, name, categoryId, status }: Pet) {
	return {
		id: String(id),
		name: toShownName(name),
		category: String(categoryId),
		status,
	};
}

/** A name without a character is shown too. */
export function toShownName(name: string): string {
	return name === "" ? '""' : toPrintable(name);
}

export function noAnimal(id: bigint, consequence = ""): OperatorError {
	return new OperatorError(`There is no animal ${id}${consequence}.`);
}
