// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { Command } from "@commander-js/extra-typings";
import { removeOlder } from "../../../backups/folder.ts";
import { makeBackup } from "../../../backups/make.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toCountText } from "../../../domain/quantity.ts";
import { databaseOption, folderOption, wholeNumber } from "../../flags.ts";
import { print, printJson } from "../../terminal/print.ts";
import { exitAtSignals } from "../../terminal/signal.ts";
import { toFacts, toSizeText } from "../../terminal/table.ts";
import { withStoreReader } from "../../with-store.ts";
import { counted } from "./counted.ts";

/** Pause after each part of a backup, to leave processor and disk to the service. A part takes about as long. */
const backupPauseMs = 3;

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
holds animals, keys, Idempotency-Keys and usage, but no sessions. It is checked
before it gets its name. No file is overwritten.

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
		letOthersGoFirst();
		const place = file === undefined ? { folder: flags.folder } : { file };
		const made = await withStoreReader(flags, ({ archive }) => {
			const parts = archive.readOnline({ pauseMs: backupPauseMs });
			return makeBackup(counted(parts), place);
		});
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

/**
 * The service must not wait for a processor. With a low priority alone, Linux lets the backup finish its time slice; an idle process yields
 * at once. Without chrt, the priority remains. A service manager may forbid both, and a backup must be made nevertheless.
 */
function letOthersGoFirst(): void {
	try {
		setPriority(19);
		if (process.platform === "linux" && !isBusy())
			spawnSync("chrt", ["-a", "-i", "-p", "0", `${process.pid}`]);
	} catch {}
}

/** Whether an idle process would hardly run: more threads are runnable than the machine has cores. */
function isBusy(): boolean {
	const load = readFileSync("/proc/loadavg", "utf8");
	const running = Number(/ (\d+)\//.exec(load)?.[1]);
	return running > availableParallelism();
}
