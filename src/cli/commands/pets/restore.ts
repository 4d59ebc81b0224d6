// `petstore pets restore`: puts an earlier content of an animal back, or a removed animal.
import { Command } from "@commander-js/extra-typings";
import { restore } from "../../../api/operator/history/restore-pet.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { petToJson, toPetId } from "../../../domain/pet.ts";
import { databaseOption, refuse } from "../../flags.ts";
import { print, say } from "../../terminal/print.ts";
import { explainFailure, withStore } from "../../with-store.ts";
import { noAnimal, toId } from "./flags.ts";

export const restoreCommand = new Command("restore")
	.description(
		"put an earlier content of an animal back, even if it is removed",
	)
	.argument("<id>", "the id of the animal", toId)
	.requiredOption(
		"--version <number>",
		'the version to put back, as "history" shows it',
		(text) => toPetId(text) ?? refuse("a whole number from 1 upward"),
	)
	.option("--json", "print the animal as a JSON object")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore pets restore 17 --version 5")
	.action(async (petId, { version, ...flags }) => {
		const pet = await withStore(flags, async (store) => {
			const first = { maxPosition: maxInt64, limit: 1 };
			const known = await store.history.readOf(petId, first);
			if (known === undefined) throw noAnimal(petId);
			return restore(store, { petId, version });
		}).catch(explainFailure("the animal was changed"));
		if (flags.json) print(`${petToJson(pet)}\n`);
		else say(`Animal ${petId} is as in version ${version} again.`);
	});
