// `petstore pets set`: changes an animal.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { type NewPet, type PetStatus, petToJson } from "../../contract/pet.ts";
import { databaseOption } from "../options.ts";
import { print, say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { toCommandFailure } from "./change-failure.ts";
import {
	categoryOption,
	jsonOption,
	noAnimal,
	type PrintFlags,
	statusOption,
	toId,
	toNameValue,
} from "./options.ts";

export function addSet(pets: Command): void {
	const command = pets
		.command("set")
		.description("change the status, name or category of an animal")
		.argument("<id>", "the id of the animal", toId)
		.addOption(statusOption("its new status"))
		.option("--name <name>", "its new name", toNameValue)
		.addOption(categoryOption("the id of its new category"))
		.addOption(jsonOption("print the changed animal as a JSON object"))
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
Examples:
  petstore pets set 17 --status sold
  petstore pets set 17 --name "Rex II" --category 2`,
		)
		.action((id: bigint) => setPet(id, command.optsWithGlobals<SetFlags>()));
}

interface SetFlags extends PrintFlags {
	readonly status?: PetStatus;
	readonly name?: string;
	readonly category?: bigint;
}

async function setPet(petId: bigint, flags: SetFlags): Promise<void> {
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
}

function toPatch({ status, name, category }: SetFlags): Partial<NewPet> {
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
