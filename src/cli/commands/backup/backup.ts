// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { Command } from "@commander-js/extra-typings";
import { removeOlder } from "../../../backups/folder.ts";
import { makeBackup } from "../../../backups/make.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toCountText, toSizeText } from "../../../domain/quantity.ts";
import { databaseOption, folderOption, wholeNumber } from "../../flags.ts";
import { print, printJson } from "../../terminal/print.ts";
import { exitAtSignals } from "../../terminal/signal.ts";
import { toFacts } from "../../terminal/table.ts";
import { withStoreReader } from "../../with-store.ts";
import { counted } from "./counted.ts";

export const command = new Command("backup")
	.argument(
		"[file]",
		"file to make; by default a file in the backup folder, named by catalogue and time",
	)
	.addOption(folderOption)
	.option(
		"--keep <number>",
		"then keep only this many of the newest backups of this catalogue in the folder",
		wholeNumber(1, 99_999),
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
The file is a complete SQLite database, even if the source is PostgreSQL. It
holds animals, keys and Idempotency-Keys, but no sessions. It is checked before
it gets its name. No file is overwritten.

Examples:
  petstore backup --keep 7
  petstore backup /mnt/usb/petstore.db
  petstore backup --database postgres://petstore@db.example/petstore`,
	)
	.action(async (file, flags) => {
		if (file === "") throw new OperatorError("The file must have a name.", 2);
		exitAtSignals();
		// The service that started it has exited.
		process.once("disconnect", () => process.exit(1));
		const place = file === undefined ? { folder: flags.folder } : { file };
		const made = await withStoreReader(flags, ({ archive }) =>
			makeBackup(counted(archive.read()), place),
		);
		const { path, animals, bytes, ms } = made;
		const removed =
			flags.keep === undefined ? [] : await removeOlder(path, flags.keep);
		if (flags.json) {
			const seconds = Math.round(ms) / 1000;
			return printJson({ path, animals, bytes, seconds, removed });
		}
		print(
			toFacts({
				backup: path,
				animals: toCountText(animals),
				size: toSizeText(bytes),
				duration: `${(ms / 1000).toFixed(1)} s`,
				...(removed.length > 0 && { removed: removed.join(", ") }),
			}),
		);
	});
