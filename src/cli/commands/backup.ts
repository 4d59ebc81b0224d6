// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { basename, dirname } from "node:path";
import { removeOlder } from "../../backups/folder.ts";
import { madeBackup, makeBackup } from "../../backups/make.ts";
import { optional } from "../../domain/type.ts";
import { toCommand } from "../command.ts";
import { database, folder, folderOf, json, keepOf, pathOf } from "../flags.ts";
import { createProgress, print } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { toReplyText } from "../terminal/table.ts";
import { withStore } from "../with-store.ts";

export const command = toCommand("backup", {
	arguments: {
		file: optional(
			pathOf(
				"File to make; by default a file in the backup folder, named by catalogue, time and animals.",
			),
		),
	},
	flags: {
		folder,
		keep: optional(
			keepOf(
				"Then keep only this many of the newest backups of this catalogue in the folder.",
			),
		),
		json,
		database,
	},
	help: `The file is a complete SQLite database, even if the source is PostgreSQL. It
holds animals, keys and Idempotency-Keys, but no sessions. It is checked before
it gets its name. No file is overwritten.`,
	examples: [
		"petstore backup --keep 7",
		"petstore backup /mnt/usb/petstore.db",
		"petstore backup --folder backups --database postgres://petstore@db.example/petstore",
	],
	async run({ file, folder, keep, json, database }) {
		const signal = watchInterruption("no file was left");
		const place =
			file === undefined
				? { folder: folderOf(folder, database) }
				: { folder: dirname(file), name: basename(file) };
		const made = await withStore(database, "read", async (store) =>
			makeBackup(store.archive.read, place, {
				...(await store.describe()),
				onRows: showAnimals(signal),
			}),
		);
		if (file === undefined && keep !== undefined)
			await removeOlder(place.folder, basename(made.path), keep);
		print(json ? `${madeBackup.write(made)}\n` : toReplyText(madeBackup, made));
	},
});

/** Shows how many animals were copied, until the signal. Call it with rows of a table. */
export function showAnimals(signal: AbortSignal) {
	const showProgress = createProgress();
	let animals = 0;
	return (table: string, count: number): void => {
		signal.throwIfAborted();
		if (table !== "pets") return;
		animals += count;
		showProgress(animals);
	};
}
