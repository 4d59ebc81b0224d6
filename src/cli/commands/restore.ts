// `petstore restore`: puts a backup into an empty database, or replaces a database's content.
import { makeBackup, openSound } from "../../backups/make.ts";
import { type Authored, byCommandLine } from "../../domain/access/author.ts";
import { OperatorError, restate } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toSwitch } from "../../domain/types/scalar.ts";
import type { ValuesOf } from "../../domain/types/type.ts";
import {
	inTransaction,
	type RunIn,
	transfer,
} from "../../store/files/transfer.ts";
import { toCommand } from "../command.ts";
import { database, folder, folderOf, pathOf, yes } from "../flags.ts";
import { canAsk, requireYes, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";
import { type CopyOptions, showAnimals } from "./backup.ts";

const flags = {
	replace: toSwitch("Back up the database, then replace its content."),
	yes,
	folder,
	database,
};

interface Options
	extends CopyOptions,
		Pick<ValuesOf<typeof flags>, "database" | "folder"> {}

export const command = toCommand("restore", {
	arguments: { file: pathOf("Backup to restore.") },
	flags,
	help: `The backup is checked first. An empty database gets all of it, with its keys:
the command names those that work then, and asks on a terminal.
With --replace the database keeps its keys and sessions, and the service may
run: it refuses adds during the restore, and then serves the content of the
backup.`,
	examples: [
		"petstore restore data/backups/monday.db",
		"petstore restore data/backups/monday.db --replace",
	],
	async run({ file, ...flags }) {
		const signal = watchInterruption("nothing was restored");
		const { replace, yes, database } = flags;
		if (replace && !yes && !canAsk())
			throw new OperatorError(
				"restore cannot ask for confirmation without a terminal; add --yes to replace the content.",
				2,
			);
		using backup = openSound(file);
		if (backup.note) say(backup.note);
		const content = `${toQuantity(backup.animals, "animal")} of ${file}`;
		const options = { ...flags, signal };
		if (!replace) {
			const keys = backup.readValidKeys();
			const names = keys.slice(0, maxNames).map((key) => JSON.stringify(key));
			if (keys.length > maxNames) names.push("…");
			if (keys.length > 0)
				say(
					`These keys will work, even if they were revoked after the backup: ${names.join(", ")}.`,
				);
			if (keys.length > 0 && !yes)
				await requireYes(
					`Restore the ${content} with ${toQuantity(keys.length, "key")}?`,
					"Nothing was restored.",
				);
			await fill(backup.runIn, options);
			return say(`Restored ${content}.`);
		}
		if (!yes)
			await requireYes(
				`Replace everything in ${database.shown} with the ${content}?`,
				"Nothing was restored.",
			);
		const { saved } = await replaceBy(backup.runIn, options);
		say(`Restored ${content}. Keys and sessions stayed as they were.`);
		say(`The earlier content is in ${saved}.`);
	},
});

/** Of keys, in one line. */
const maxNames = 20;

/** Everything, into an empty database. */
async function fill(
	backup: RunIn,
	{ database, ...options }: Options,
): Promise<void> {
	const onRows = showAnimals(options);
	await withStore(database, "create", async ({ archive }) => {
		const work = () => transfer(backup, inTransaction, { onRows });
		await archive.write(work).catch(throwRestated);
		say("Restart the service if it was running on this database before.");
	});
}

/** In one transaction, so the backup of before has exactly what is replaced. */
export async function replaceBy(
	backup: RunIn,
	{ database, folder, ...options }: Options,
	replacedBy: Authored = byCommandLine(),
) {
	const place = { folder: folderOf(folder, database) };
	let edit: bigint | undefined;
	const { path } = await withStore(database, "write", async (store) => {
		const { databaseBytes } = await store.describe();
		return makeBackup(store.archive.write, place, {
			databaseBytes,
			onRows: showAnimals(options),
			*follow() {
				const onRows = showAnimals(options);
				edit = yield* transfer(backup, inTransaction, { replacedBy, onRows });
			},
		});
	}).catch((error) => {
		// The backup of before could not be made.
		if (error instanceof OperatorError && !options.signal.aborted)
			throw new OperatorError(`${error.message} Nothing was restored.`);
		return throwRestated(error);
	});
	return { edit, saved: path };
}

function throwRestated(error: unknown): never {
	throw restate(
		error,
		"The database cannot answer now, and nothing was restored; run the command again.",
		"It is not known whether the backup was restored; run the command again.",
	);
}
