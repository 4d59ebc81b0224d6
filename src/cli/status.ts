// `petstore status`: what the database holds. It opens the database itself, so it says nothing about processes that serve it.
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import {
	countAnimals,
	toCountMembers,
} from "../operator/status/read-status.ts";
import type { StoreDescription, StoreReader } from "../store/store.ts";
import { toFacts } from "./facts.ts";
import { type DatabaseFlags, databaseOption } from "./options.ts";
import { print, printJson } from "./print.ts";
import { toSizeText } from "./size.ts";
import { withStoreReader } from "./with-store.ts";

export function addStatus(program: Command): void {
	const command = program
		.command("status")
		.description("show the size of the database and the number of animals")
		.option("--json", "print one JSON object")
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
It reads the database, and asks no running service. GET /operator/v1/status says
the same with what only the service knows: when it started, its workers and its
memory.

Examples:
  petstore status
  petstore status --json`,
		)
		.action(() => showStatus(command.optsWithGlobals<StatusFlags>()));
}

interface StatusFlags extends DatabaseFlags {
	readonly json?: true;
}

async function showStatus(flags: StatusFlags): Promise<void> {
	const status = await withStoreReader(flags, readStatus);
	if (flags.json) printJson(status);
	else print(toLines(status));
}

/** The members of a status document that a database has. No request waits for a command, so it counts without pauses. */
async function readStatus({ catalogue, describe }: StoreReader) {
	return {
		version: manifest.version,
		...(await describe()),
		...toCountMembers(
			await countAnimals(catalogue.countPets, async () => true),
		),
	};
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function toLines(status: Status): string {
	const { version, animals, animalsByStatus, schema, databaseBytes } = status;
	const { available, pending, sold } = animalsByStatus;
	const { walBytes } = status;
	return toFacts({
		version,
		engine: `${toEngineName(status)} ${status.engineVersion}`,
		schema: String(schema),
		database: toSizeText(databaseBytes),
		...(walBytes !== undefined && { WAL: toSizeText(walBytes) }),
		animals: toCount(animals),
		"  available": toCount(available),
		"  pending": toCount(pending),
		"  sold": toCount(sold),
	});
}

function toEngineName({ engine }: StoreDescription): string {
	return engine === "sqlite" ? "SQLite" : "PostgreSQL";
}

function toCount(count: number): string {
	return count.toLocaleString("en");
}
