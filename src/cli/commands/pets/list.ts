// `petstore pets list`: animals as a table, newest first.
import { Command } from "@commander-js/extra-typings";
import { searchPets } from "../../../api/operator/pets/search.ts";
import { maxInt64 } from "../../../domain/json.ts";
import { type Pet, petToJson } from "../../../domain/pet.ts";
import { databaseOption, wholeNumber } from "../../flags.ts";
import { print, say } from "../../terminal/print.ts";
import { cutTo, toTable, widthOf } from "../../terminal/table.ts";
import { withStoreReader } from "../../with-store.ts";
import { addFilters, toFilter, toShownName } from "./options.ts";

export const listCommand = addFilters(
	new Command("list").description("show animals, newest first"),
)
	.option(
		"--limit <number>",
		"how many at most",
		wholeNumber(1, 999_999_999, "a whole number from 1 upward"),
		20,
	)
	.option("--json", "print a JSON array")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets list --status pending
  petstore pets list --name rex --limit 100 --json`,
	)
	.action(async (flags) => {
		const { limit } = flags;
		const { pets, lastId } = await withStoreReader(flags, ({ catalogue }) =>
			searchPets(
				catalogue.listPets,
				{ filter: toFilter(flags), limit, maxId: maxInt64 },
				() => false,
			),
		);
		if (flags.json) return print(toJsonArray(pets));
		if (pets.length === 0) return say("No animal was found.");
		print(toTable(toLines(pets)));
		if (lastId !== undefined)
			say(`There are more; --limit ${limit * 10} shows more of them.`);
	});

/** One animal a line. Integers keep all their digits. */
function toJsonArray(pets: readonly Pet[]): string {
	const lines = pets.map((pet) => `  ${petToJson(pet)}`);
	return lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`;
}

/** On a terminal, names are cut so that every line fits. */
function toLines(pets: readonly Pet[]) {
	const widest = (member: "id" | "categoryId" | "status", heading: number) =>
		Math.max(heading, ...pets.map((pet) => widthOf(String(pet[member]))));
	const others =
		widest("id", 2) + widest("categoryId", 8) + widest("status", 6) + 3 * 2;
	const room = process.stdout.isTTY ? maxWidth - others : Infinity;
	return pets.map(({ id, name, categoryId, status }) => ({
		id: String(id),
		name: cutTo(toShownName(name), room),
		category: String(categoryId),
		status,
	}));
}

/** The usual width of a terminal. Ids of any length leave more than a quarter of it to the name. */
const maxWidth = 80;
