// `petstore check`: looks for damage in the database, or in a backup.
import { Command } from "@commander-js/extra-typings";
import type { Checked } from "../../../store/archive/check.ts";
import { openBackup } from "../../../store/open.ts";
import { databaseOption } from "../../flags.ts";
import { print, printJson, say } from "../../terminal/print.ts";
import { toCountText, toQuantity } from "../../terminal/table.ts";
import { withStoreReader } from "../../with-store.ts";

export const command = new Command("check")
	.argument("[file]", "backup to check; by default the database")
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
The command checks the structure of the file, indexes, tables, ids, every
animal, the feed and the keys. It changes nothing. The exit status is 1 if it
finds a problem. It may run while the service runs, but it reads the whole
database: check a large database in a backup.

Examples:
  petstore check
  petstore check backups/petstore-3f9a01c2-20270131T081500Z.db`,
	)
	.action(async (file, flags) => {
		const checked =
			file === undefined
				? await withStoreReader(flags, (store) => store.check())
				: await checkFile(file);
		const { animals, findings, count } = checked;
		if (flags.json) printJson({ animals, problems: count, findings });
		else report(checked);
		if (count > 0) process.exitCode = 1;
	});

async function checkFile(file: string): Promise<Checked> {
	const backup = await openBackup(file);
	return backup.check().finally(backup.close);
}

function report({ animals, findings, count }: Checked): void {
	for (const finding of findings) print(`${finding}\n`);
	const more = count - findings.length;
	if (more > 0) print(`… and ${toCountText(more)} more.\n`);
	say(
		count === 0
			? `No problems found in ${toQuantity(animals, "animal")}.`
			: `petstore: Found ${toQuantity(count, "problem")}.`,
	);
}
