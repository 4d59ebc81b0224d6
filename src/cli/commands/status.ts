// `petstore status`: what the database holds. It opens the database itself, so it says nothing about processes that serve it.
import { Command } from "@commander-js/extra-typings";
import manifest from "../../../package.json" with { type: "json" };
import { countPets } from "../../api/operator/pets/counts.ts";
import {
	countByStatus,
	toBackupMembers,
} from "../../api/operator/status/read-status.ts";
import { readNewest } from "../../backups/newest.ts";
import type { StoreReader } from "../../store/store.ts";
import { formatRelative } from "../../web/console/parts/format.ts";
import { databaseOption, folderOption } from "../flags.ts";
import { print, printJson } from "../terminal/print.ts";
import { toCountText, toFacts, toSizeText } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";

export const command = new Command("status")
	.option("--json", "print one JSON object")
	.addOption(folderOption)
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
The command reads the database, not a running service. GET /operator/v1/status
adds what only the service knows: its start time, its workers and its memory.

Examples:
  petstore status
  petstore status --json`,
	)
	.action(async (flags) => {
		const status = await withStoreReader(flags, (store) =>
			readStatus(store, flags.folder),
		);
		if (flags.json) printJson(status);
		else print(toLines(status));
	});

/** The members of a status document that a database has. No request waits for a command, so it counts without pauses. */
async function readStatus(
	{ catalogue, describe, backups }: StoreReader,
	folder: string,
) {
	return {
		version: manifest.version,
		...(await describe()),
		...(await countByStatus((filter) =>
			countPets(catalogue, filter, () => false),
		)),
		...toBackupMembers(await readNewest(backups, folder)),
	};
}

function toLines(status: Awaited<ReturnType<typeof readStatus>>): string {
	const { version, engine, animals, animalsByStatus, walBytes } = status;
	const { available, pending, sold } = animalsByStatus;
	return toFacts({
		version,
		engine: `${engine === "sqlite" ? "SQLite" : "PostgreSQL"} ${status.engineVersion}`,
		schema: String(status.schema),
		database: toSizeText(status.databaseBytes),
		...(walBytes !== undefined && { WAL: toSizeText(walBytes) }),
		animals: toCountText(animals),
		"  available": toCountText(available),
		"  pending": toCountText(pending),
		"  sold": toCountText(sold),
		backup:
			status.newestBackupAt === undefined
				? "none known"
				: `${status.newestBackupAt} (${formatRelative(Date.parse(status.newestBackupAt))})`,
		...(status.backupFailure !== undefined && {
			"last failure": status.backupFailure,
		}),
	});
}
