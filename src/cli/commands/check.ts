// `petstore check`: looks for damage in the database, or in a backup.
import { toQuantity } from "../../domain/quantity.ts";
import { optional } from "../../domain/types/type.ts";
import { openBackupFile } from "../../store/sqlite/backup-file.ts";
import { toCommand } from "../command.ts";
import { database, json, pathOf } from "../flags.ts";
import { print, say } from "../terminal/print.ts";
import { withStore } from "../with-store.ts";

export const command = toCommand("check", {
	arguments: {
		file: optional(pathOf("Backup to check; by default the database.")),
	},
	flags: { json, database },
	help: `The command checks the file by the database's own means, and that animals, feed,
history and keys fit together. Of a backup, it compares the content with the
SHA-256 in it. It changes nothing. The exit status is 1 if it
finds a problem. It may run while the service runs, but it reads the whole
database: check a large database in a backup.`,
	examples: [
		"petstore check",
		"petstore check data/backups/petstore-3f9a01c2-20270131T081500Z-20088.db",
	],
	async run({ file, json, database }) {
		const found = file
			? checkFile(file)
			: await withStore(database, "read", (store) => store.check());
		const { animals, problems, findings, note } = found;
		if (problems > 0) process.exitCode = 1;
		if (json) return print(`${JSON.stringify(found)}\n`);
		for (const finding of findings) print(`${finding}\n`);
		say(
			problems === 0
				? `No problems found in ${toQuantity(animals, "animal")}.`
				: `petstore: Found ${toQuantity(problems, "problem")}.`,
		);
		if (note) say(note);
	},
});

/** An earlier version may have made it. */
function checkFile(file: string) {
	using backup = openBackupFile(file);
	return backup.check();
}
