// `petstore pets`: the operations of animals, and restore.
import { restore } from "../../../api/operator/history/restore-pet.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { petToJson, toPetId } from "../../../domain/pet.ts";
import { pets } from "../../../operator/pets.ts";
import { databaseOption, refuse } from "../../flags.ts";
import { toCommand } from "../../resources.ts";
import { print, say } from "../../terminal/print.ts";
import { explainFailure, withStore } from "../../with-store.ts";
import { noAnimal, toId } from "./flags.ts";

export const command = toCommand(pets);

command
	.command("restore")
	.description("put back an earlier version of an animal, even a removed one")
	.argument("<id>", "id of the animal", toId)
	.requiredOption(
		"--version <number>",
		'version to put back, as "history" shows it',
		(text) => toPetId(text) ?? refuse("a whole number from 1 upward"),
	)
	.option("--json", "print the animal as a JSON object")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore pets restore 17 --version 5")
	.action(async (petId, { version, ...flags }) => {
		const [before, pet] = await withStore(flags, async (store) => {
			const first = { maxPosition: maxInt64, limit: 1 };
			const known = await store.history.readOf(petId, first);
			if (known === undefined) throw noAnimal(petId);
			return [
				await store.catalogue.getPet(petId),
				await restore(store, { petId, version }),
			] as const;
		}).catch(explainFailure("the animal was changed"));
		if (flags.json) print(`${petToJson(pet)}\n`);
		else if (pet.version === before?.version)
			say(
				`Nothing changed: animal ${petId} already has the content of version ${version}.`,
			);
		else say(`Restored version ${version} of animal ${petId}.`);
	});
