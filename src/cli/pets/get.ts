// `petstore pets get`: one animal, line by line.
import type { Command } from "commander";
import { type Pet, petToJson } from "../../contract/pet.ts";
import { toFacts } from "../facts.ts";
import { databaseOption } from "../options.ts";
import { print } from "../print.ts";
import { withStoreReader } from "../with-store.ts";
import { jsonOption, noAnimal, type PrintFlags, toId } from "./options.ts";

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

async function getPet(id: bigint, flags: PrintFlags): Promise<void> {
	const pet = await withStoreReader(flags, async ({ catalogue }) =>
		catalogue.getPet(id),
	);
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
	return name === "" ? '""' : name;
}
