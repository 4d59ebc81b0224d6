// `petstore status`: what the database holds. It reads the database itself, so it says nothing about processes that serve it.
import { Command } from "@commander-js/extra-typings";
import manifest from "../../../package.json" with { type: "json" };
import {
	countByStatus,
	toBackupMembers,
} from "../../api/operator/read-status.ts";
import { createTurns } from "../../async/waiting.ts";
import { readNewest } from "../../backups/folder.ts";
import { toCountText } from "../../domain/quantity.ts";
import { countPets } from "../../operator/counts.ts";
import { formatRelative } from "../../web/console/parts/format.ts";
import { databaseOption, folderOption } from "../flags.ts";
import { print, printJson } from "../terminal/print.ts";
import { toFacts, toSizeText } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";

export const command = new Command("status")
	.option("--json", "print one JSON object")
	.addOption(folderOption)
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
The command reads the database, not a running service. GET /operator/v1/status
adds what only the service knows: its start time and its memory.

Examples:
  petstore status
  petstore status --json`,
	)
	.action(async ({ folder, ...flags }) => {
		// The command has one connection, and pg warns about a query during another.
		const takeTurn = createTurns(0);
		const status = await withStoreReader(flags, async (store) => ({
			version: manifest.version,
			...(await store.describe()),
			...(await countByStatus((filter) =>
				takeTurn(() => countPets(store.catalogue, filter)),
			)),
			...toBackupMembers(await readNewest(store.backups, folder)),
		}));
		if (flags.json) return printJson(status);
		const { engine, walBytes, newestBackupAt, backupFailure } = status;
		const { available, pending, sold } = status.animalsByStatus;
		const facts = {
			version: status.version,
			engine: `${engine === "sqlite" ? "SQLite" : "PostgreSQL"} ${status.engineVersion}`,
			schema: String(status.schema),
			database: toSizeText(status.databaseBytes),
			...(walBytes !== undefined && { WAL: toSizeText(walBytes) }),
			animals: toCountText(status.animals),
			"  available": toCountText(available),
			"  pending": toCountText(pending),
			"  sold": toCountText(sold),
			backup:
				newestBackupAt === undefined
					? "none known"
					: `${newestBackupAt} (${formatRelative(Date.parse(newestBackupAt))})`,
			...(backupFailure !== undefined && { "last failure": backupFailure }),
		};
		print(toFacts(facts));
	});
