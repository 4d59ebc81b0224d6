// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { basename, dirname } from "node:path";
import { removeOlder } from "../../backups/folder.ts";
import {
	type BackupPlace,
	type Made,
	madeBackup,
	makeBackup,
} from "../../backups/make.ts";
import { optional } from "../../domain/types/type.ts";
import type { DatabaseUrl } from "../../store/database/database-url.ts";
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
		const kept = file === undefined ? keep : undefined;
		const made = await backUp(database, place, { signal, keep: kept });
		print(json ? `${madeBackup.write(made)}\n` : toReplyText(madeBackup, made));
	},
});

export interface CopyOptions {
	/** Ends the copy, until its commit begins. */
	readonly signal: AbortSignal;
	/** Gets the number of animals that were copied; on a terminal by default. */
	readonly showProgress?: (animals: number) => void;
}

export async function backUp(
	database: DatabaseUrl,
	place: BackupPlace,
	{ keep, ...options }: CopyOptions & { readonly keep: number | undefined },
): Promise<Made> {
	const made = await withStore(database, "read", async (store) =>
		makeBackup(store.archive.read, place, {
			...(await store.describe()),
			onRows: showAnimals(options),
		}),
	);
	if (keep !== undefined)
		await removeOlder(place.folder, basename(made.path), keep);
	return made;
}

/** Shows how many animals were copied, until the signal. Call it with rows of a table. */
export function showAnimals({
	signal,
	showProgress = createProgress(),
}: CopyOptions) {
	let animals = 0;
	return (table: string, { length }: readonly unknown[]): void => {
		signal.throwIfAborted();
		if (table !== "pets") return;
		animals += length;
		showProgress(animals);
	};
}
