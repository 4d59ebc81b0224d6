// `petstore pets list|get|add|set|remove`: also while the service runs on the same database.
import type { Command } from "commander";
import { addHelp } from "../help.ts";
import { addAdd } from "./add.ts";
import { addGet } from "./get.ts";
import { addList } from "./list.ts";
import { addRemove } from "./remove.ts";
import { addSet } from "./set.ts";

export function addPets(program: Command): void {
	const pets = program
		.command("pets")
		.description("find, add, change and remove animals")
		.addHelpText(
			"after",
			`
Examples:
  petstore pets list --status available --name rex
  petstore pets add --name Rex --category 1
  petstore pets set 17 --status sold`,
		);
	addList(pets);
	addGet(pets);
	addAdd(pets);
	addSet(pets);
	addRemove(pets);
	addHelp(pets);
}
