// `petstore pets list|get|add|set|remove`: also while the service runs on the same database. Here are those for one animal.
import { Command } from "@commander-js/extra-typings";
import { OperatorError } from "../../../domain/errors.ts";
import {
	defaultPetStatus,
	type NewPet,
	type PetStatus,
	petToJson,
} from "../../../domain/pet.ts";
import { databaseOption } from "../../flags.ts";
import { addHelp } from "../../terminal/help.ts";
import { print, say } from "../../terminal/print.ts";
import { toFacts } from "../../terminal/table.ts";
import { watchCreation, withStore, withStoreReader } from "../../with-store.ts";
import { listCommand } from "./list.ts";
import {
	categoryOption,
	noAnimal,
	statusOption,
	toCommandFailure,
	toId,
	toNameValue,
	toShownName,
} from "./options.ts";
import { removeCommand } from "./remove.ts";

export const petsCommand = new Command("pets")
	.description("find, add, change and remove animals")
	.addHelpText(
		"after",
		`
Examples:
  petstore pets list --status available --name rex
  petstore pets add --name Rex --category 1
  petstore pets set 17 --status sold`,
	)
	.addCommand(listCommand);

petsCommand
	.command("get")
	.description("show one animal")
	.argument("<id>", "the id of the animal", toId)
	.option("--json", "print a JSON object")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore pets get 17")
	.action(async (petId, flags) => {
		const pet = await withStoreReader(flags, async ({ catalogue }) =>
			catalogue.getPet(petId),
		);
		if (pet === undefined) throw noAnimal(petId);
		if (flags.json) return print(`${petToJson(pet)}\n`);
		const { id, name, categoryId, status } = pet;
		print(
			toFacts({
				id: String(id),
				name: toShownName(name),
				category: String(categoryId),
				status,
			}),
		);
	});

petsCommand
	.command("add")
	.description("add an animal and print its id")
	.requiredOption("--name <name>", "its name", toNameValue)
	.addOption(categoryOption("the id of its category").makeOptionMandatory())
	.addOption(statusOption("its status").default(defaultPetStatus))
	.option("--json", "print the animal as a JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets add --name Rex --category 1
  ID=$(petstore pets add --name Tom --category 2 --status pending)`,
	)
	.action(async (flags) => {
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
	});

petsCommand
	.command("set")
	.description("change the status, name or category of an animal")
	.argument("<id>", "the id of the animal", toId)
	.addOption(statusOption("its new status"))
	.option("--name <name>", "its new name", toNameValue)
	.addOption(categoryOption("the id of its new category"))
	.option("--json", "print the changed animal as a JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets set 17 --status sold
  petstore pets set 17 --name "Rex II" --category 2`,
	)
	.action(async (petId, flags) => {
		const set = toPatch(flags);
		const changed = await withStore(flags, { create: false }, ({ catalogue }) =>
			catalogue.changePets([{ petId, set }]),
		).catch((error) => {
			throw toCommandFailure(error, "the animal was changed");
		});
		if (changed.outcome !== "changed") throw noAnimal(petId);
		const [pet] = changed.pets;
		if (flags.json && pet !== undefined) print(`${petToJson(pet)}\n`);
		else say(`Changed animal ${petId}.`);
	});

petsCommand.addCommand(removeCommand);
addHelp(petsCommand);

function toPatch(flags: {
	readonly status?: PetStatus;
	readonly name?: string;
	readonly category?: bigint;
}): Partial<NewPet> {
	const { status, name, category } = flags;
	if (status === undefined && name === undefined && category === undefined)
		throw new OperatorError(
			"set needs something to change: --status, --name or --category.",
			2,
		);
	return {
		...(status !== undefined && { status }),
		...(name !== undefined && { name }),
		...(category !== undefined && { categoryId: category }),
	};
}
