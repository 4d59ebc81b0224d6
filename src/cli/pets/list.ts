// `petstore pets list`: animals as a table, newest first.
import type { Command } from "commander";
import { maxInt64 } from "../../contract/json.ts";
import { type Pet, petToJson } from "../../contract/pet.ts";
import { searchPets } from "../../operator/pets/search.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { print, say } from "../print.ts";
import { toTable } from "../table.ts";
import { cutTo, widthOf } from "../text-width.ts";
import { withStoreReader } from "../with-store.ts";
import { toShownName } from "./get.ts";
import {
	type FilterFlags,
	filterOptions,
	jsonOption,
	toFilter,
	toLimit,
} from "./options.ts";

export function addList(pets: Command): void {
	const command = pets
		.command("list")
		.description("show animals, newest first");
	for (const option of filterOptions) command.addOption(option);
	command
		.option("--limit <number>", "how many at most", toLimit, 20)
		.addOption(jsonOption("print a JSON array"))
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
Examples:
  petstore pets list --status pending
  petstore pets list --name rex --limit 100 --json`,
		)
		.action(() => listPets(command.optsWithGlobals<ListFlags>()));
}

interface ListFlags extends DatabaseFlags, FilterFlags {
	readonly limit: number;
	readonly json?: true;
}

async function listPets(flags: ListFlags): Promise<void> {
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
}

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
