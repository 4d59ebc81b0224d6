// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { setPriority } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { removeOlder } from "../../backups/folder.ts";
import { type MadeBackup, makeBackup } from "../../backups/make.ts";
import { OperatorError } from "../../contract/errors.ts";
import { backupPauseMs } from "../../limits.ts";
import { toFacts } from "../facts.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { print, printJson } from "../print.ts";
import { toSizeText } from "../size.ts";
import { withStoreReader } from "../with-store.ts";
import { counted, createCounts } from "./counted.ts";
import { type FolderFlags, folderOption } from "./options.ts";
import { exitAtSignals } from "./signals.ts";

export function addBackup(program: Command): void {
	const command = program
		.command("backup")
		.description("back the database up while the service runs")
		.argument(
			"[file]",
			"the file to make; in the folder of the backups, with the id of the catalogue and the time in its name, if not given",
		)
		.addOption(folderOption)
		.option(
			"--keep <number>",
			"then remove all but the newest so many backups of this catalogue in the same folder",
			toKeep,
		)
		.option("--json", "print one JSON object")
		.addOption(databaseOption)
		.addHelpText(
			"after",
			`
The file is a complete SQLite database, also of PostgreSQL. It holds animals,
keys, Idempotency-Keys and usage, and no sessions. It is checked before it gets
its name, and no file is overwritten.

Examples:
  petstore backup --keep 7
  petstore backup /mnt/usb/petstore.db
  petstore backup --database postgres://petstore@db.example/petstore`,
		)
		.action((file: string | undefined) =>
			backUp(file, command.optsWithGlobals<BackupFlags>()),
		);
}

interface BackupFlags extends DatabaseFlags, FolderFlags {
	readonly keep?: number;
	readonly json?: true;
}

async function backUp(
	file: string | undefined,
	flags: BackupFlags,
): Promise<void> {
	if (file === "") throw new OperatorError("The file must have a name.", 2);
	exitAtSignals();
	// The service goes first where both need a processor.
	setPriority(lowPriority);
	const place = file === undefined ? { folder: flags.folder } : { file };
	const made = await withStoreReader(flags, ({ archive }) => {
		const parts = archive.readOnline({ pauseMs: backupPauseMs });
		return makeBackup(counted(parts, createCounts()), place);
	});
	const removed =
		flags.keep === undefined ? [] : await removeOlder(made.path, flags.keep);
	if (flags.json) printJson({ ...toJson(made), removed });
	else print(toLines(made, removed));
}

const lowPriority = 19;

function toJson({ path, animals, bytes, ms }: MadeBackup) {
	return { path, animals, bytes, seconds: Math.round(ms) / 1000 };
}

function toLines(
	{ path, animals, bytes, ms }: MadeBackup,
	removed: readonly string[],
): string {
	return toFacts({
		backup: path,
		animals: animals.toLocaleString("en"),
		size: toSizeText(bytes),
		duration: `${(ms / 1000).toFixed(1)} s`,
		...(removed.length > 0 && { removed: removed.join(", ") }),
	});
}

function toKeep(text: string): number {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
}
