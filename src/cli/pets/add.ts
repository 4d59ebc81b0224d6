// `petstore pets add`: adds an animal and prints its id.
import type { Command } from "commander";
import {
	defaultPetStatus,
	type PetStatus,
	petToJson,
} from "../../contract/pet.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { print } from "../print.ts";
import { watchCreation, withStore } from "../with-store.ts";
import {
	categoryOption,
	jsonOption,
	statusOption,
	toNameValue,
} from "./options.ts";

export function addAdd(pets: Command): void {
	const command = pets
		.command("add")
		.description("add an animal and print its id")
		.requiredOption("--name <name>", "its name", toNameValue)
		.addOption(categoryOption("the id of its category").makeOptionMandatory())
		.addOption(statusOption("its status").default(defaultPetStatus))
		.addOption(jsonOption("print the animal as a JSON object"))
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
Examples:
  petstore pets add --name Rex --category 1
  ID=$(petstore pets add --name Tom --category 2 --status pending)`,
		)
		.action(() => addPet(command.optsWithGlobals<AddFlags>()));
}

interface AddFlags extends DatabaseFlags {
	readonly name: string;
	readonly category: bigint;
	readonly status: PetStatus;
	readonly json?: true;
}

async function addPet(flags: AddFlags): Promise<void> {
	const { name, category: categoryId, status } = flags;
	const sayCreation = watchCreation(flags);
	const pet = { name, categoryId, status };
	const added = await withStore(flags, { create: true }, ({ catalogue }) =>
		catalogue.addPet(pet, undefined),
	);
	// Only an add with an Idempotency-Key can have another outcome.
	if (added.outcome === "mismatch") return;
	const { id } = added;
	print(`${flags.json ? petToJson({ id, ...pet }) : id}\n`);
	sayCreation();
}
