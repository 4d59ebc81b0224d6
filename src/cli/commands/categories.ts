// `petstore categories list|set|remove`: names of categories. Works while the service runs on the same database.
import { Command } from "@commander-js/extra-typings";
import { toJson } from "../../api/operator/categories/handlers.ts";
import { countCategories } from "../../api/operator/pets/counts.ts";
import {
	noCategoryName,
	refuseCategory,
} from "../../contract/operator/categories.ts";
import { OperatorError } from "../../domain/errors.ts";
import { databaseOption, toName } from "../flags.ts";
import { print, printJsonLines, say } from "../terminal/print.ts";
import { toTable } from "../terminal/table.ts";
import { withStore, withStoreReader } from "../with-store.ts";
import { toCategory } from "./pets/flags.ts";

export const command = new Command("categories").addHelpText(
	"after",
	`
Animals may have any category, with a name or without. Only the console and
these commands show the names.

Examples:
  petstore categories set 1 Dogs
  petstore categories list`,
);

command
	.command("list")
	.description("show all names, with the number of animals")
	.option("--json", "print a JSON array")
	.addOption(databaseOption)
	.addHelpText("after", "\nExamples:\n  petstore categories list --json")
	.action(async (flags) => {
		const { listed, pets } = await withStoreReader(flags, async (store) => {
			const listed = await store.categories.list();
			const ids = listed.map(({ id }) => id);
			const { pets } = await countCategories(store.catalogue, ids);
			return { listed, pets };
		});
		if (flags.json)
			return printJsonLines(listed.map((one) => toJson(one, pets.get(one.id))));
		if (listed.length === 0) return say("No category has a name.");
		const toLine = ({ id, name }: (typeof listed)[number]) => ({
			id: `${id}`,
			name,
			animals: pets.get(id) ?? 0,
		});
		print(toTable(listed.map(toLine)));
	});

addIdCommand("set", "name a category, or rename it", '1 "Small dogs"')
	.argument("<name>", "its name", toName)
	.action(async (id, name, flags) => {
		const outcome = await withStore(flags, ({ categories }) =>
			categories.set({ id, name }),
		);
		if (outcome !== "set")
			throw new OperatorError(refuseCategory(outcome).message);
		say(`Named category ${id} ${name}.`);
	});

addIdCommand("remove", "remove a name; animals do not change").action(
	async (id, flags) => {
		const wasNamed = await withStore(flags, ({ categories }) =>
			categories.remove(id),
		);
		if (!wasNamed) throw new OperatorError(noCategoryName().message);
		say(`Removed the name of category ${id}.`);
	},
);

function addIdCommand(name: string, description: string, example = "1") {
	return command
		.command(name)
		.description(description)
		.argument("<id>", "id of the category", toCategory)
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`\nExamples:\n  petstore categories ${name} ${example}`,
		);
}
