// `petstore pets list|get|add|set|remove|restore`. Works while the service runs on the same database.
import { Command } from "@commander-js/extra-typings";
import { restore } from "../../../api/operator/history/restore-pet.ts";
import { searchPets } from "../../../api/operator/pets/find-pets.ts";
import { toMaxId } from "../../../domain/cursor.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { maxInt64 } from "../../../domain/json.ts";
import {
	type Pet,
	petFields,
	petToJson,
	toPetId,
	toWhole,
} from "../../../domain/pet.ts";
import type { Store } from "../../../store/store.ts";
import {
	databaseOption,
	limitOption,
	refuse,
	toMoreText,
} from "../../flags.ts";
import {
	print,
	printJsonLines,
	printOrFail,
	say,
} from "../../terminal/print.ts";
import { toFacts, toTable } from "../../terminal/table.ts";
import {
	explainFailure,
	withStore,
	withStoreReader,
} from "../../with-store.ts";
import {
	addFilters,
	categoryOption,
	noAnimal,
	statusOption,
	toFilter,
	toId,
	toNameValue,
	toShownName,
} from "./flags.ts";
import { removeCommand } from "./remove.ts";

export const command = new Command("pets").addHelpText(
	"after",
	`
Examples:
  petstore pets list --status available --name rex
  petstore pets add --name Rex --category 1
  petstore pets set 17 --status sold`,
);

addFilters(command.command("list"))
	.description("show animals")
	.addOption(limitOption)
	.option("--json", "print a JSON array")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets list --status pending
  petstore pets list --name rex --limit 100 --json`,
	)
	.action(async ({ limit, ...flags }) => {
		const search = { filter: toFilter(flags), limit, maxId: toMaxId() };
		const { pets, lastId } = await withStoreReader(flags, ({ catalogue }) =>
			searchPets(catalogue.listPets, search, () => false),
		);
		if (flags.json) return printJsonLines(pets.map(petToJson));
		if (pets.length === 0) return say("No animal found.");
		print(toTable(pets.map(toCells), "name"));
		if (lastId !== undefined) say(toMoreText("animals", limit));
	});

command
	.command("get")
	.description("show one animal")
	.argument("<id>", "id of the animal", toId)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore pets get 17")
	.action(async (petId, flags) => {
		const pet = await withStoreReader(flags, async ({ catalogue }) =>
			catalogue.getPet(petId),
		);
		if (pet === undefined) throw noAnimal(petId);
		print(flags.json ? `${petToJson(pet)}\n` : toFacts(toCells(pet)));
	});

command
	.command("add")
	.description("add an animal and print its id")
	.requiredOption("--name <name>", "its name", toNameValue)
	.addOption(categoryOption("id of its category").makeOptionMandatory())
	.addOption(statusOption("its status").default(petFields.status.fallback))
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
		const pet = toWhole({ name, categoryId, status });
		const add = async ({ catalogue }: Store) => {
			const added = await catalogue.addPet({ pet });
			// Only an add with an Idempotency-Key can have another outcome.
			if (added.outcome === "mismatch") return;
			const { id } = added;
			printOrFail(`${flags.json ? petToJson({ id, ...pet }) : id}\n`);
		};
		await withStore(flags, add, { create: true }).catch(
			explainFailure(
				"the animal was added",
				"look for it before you add it again",
			),
		);
	});

command
	.command("set")
	.description("change the status, name or category of an animal")
	.argument("<id>", "id of the animal", toId)
	.addOption(statusOption("its new status"))
	.option("--name <name>", "its new name", toNameValue)
	.addOption(categoryOption("id of its new category"))
	.option("--json", "print the changed animal as a JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets set 17 --status sold
  petstore pets set 17 --name "Rex II" --category 2`,
	)
	.action(async (petId, { status, name, category, ...flags }) => {
		const set = {
			...(status !== undefined && { status }),
			...(name !== undefined && { name }),
			...(category !== undefined && { categoryId: category }),
		};
		if (Object.keys(set).length === 0)
			throw new OperatorError(
				"pets set needs a change; give --status, --name or --category.",
				2,
			);
		const [before, changed] = await withStore(
			flags,
			async ({ catalogue }) =>
				[
					await catalogue.getPet(petId),
					await catalogue.changePets([{ petId, set }]),
				] as const,
		).catch(explainFailure("the animal was changed"));
		if (changed.outcome !== "changed") throw noAnimal(petId);
		const [pet] = changed.pets;
		if (flags.json && pet !== undefined) print(`${petToJson(pet)}\n`);
		else if (pet?.version === before?.version)
			say(`Nothing changed: animal ${petId} already has these values.`);
		else say(`Changed animal ${petId}.`);
	});

command.addCommand(removeCommand);

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

function toCells({ id, name, categoryId, status }: Pet) {
	return {
		id: `${id}`,
		name: toShownName(name),
		category: `${categoryId}`,
		status,
	};
}
