// `petstore restore`: puts a backup into an empty database, or replaces a database's content.
import { basename } from "node:path";
import { readBackupName } from "../../backups/folder.ts";
import { makeBackup, openSound } from "../../backups/make.ts";
import { authorVariable, restoredBackup } from "../../backups/maker.ts";
import { type Authored, byCommandLine } from "../../domain/author.ts";
import { OperatorError, restate } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toSwitch } from "../../domain/scalar.ts";
import type { ValueOf, ValuesOf } from "../../domain/type.ts";
import { here, type Place, transfer } from "../../store/transfer.ts";
import { toCommand } from "../command.ts";
import { database, folder, folderOf, pathOf, yes } from "../flags.ts";
import { canAsk, print, requireYes, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";
import { showAnimals } from "./backup.ts";

const flags = {
	replace: toSwitch("Back up the database, then replace its content."),
	yes,
	folder,
	database,
};

interface Options extends ValuesOf<typeof flags> {
	/** Ends the restore, until the commit begins. */
	readonly signal: AbortSignal;
}

export const command = toCommand("restore", {
	arguments: { file: pathOf("Backup to restore.") },
	flags,
	help: `The backup is checked first. An empty database gets all of it, with its keys.
With --replace the database keeps its keys and sessions, and the service may
run: it refuses adds during the restore, and then serves the content of the
backup.`,
	examples: [
		"petstore restore data/backups/monday.db",
		"petstore restore data/backups/monday.db --replace",
	],
	async run({ file, ...flags }) {
		const signal = watchInterruption("nothing was restored");
		const author = process.env[authorVariable];
		if (author) return restoreForService(file, { ...flags, signal }, author);
		const { replace, yes, database } = flags;
		if (replace && !yes && !canAsk())
			throw new OperatorError(
				"restore cannot ask for confirmation without a terminal; add --yes to replace the content.",
				2,
			);
		using backup = openSound(file);
		const content = `${toQuantity(backup.animals, "animal")} of ${file}`;
		const options = { ...flags, signal };
		if (!replace) {
			await fill(backup.place, options);
			return say(`Restored ${content}.`);
		}
		if (!yes)
			await requireYes(
				`Replace everything in ${database.shown} with the ${content}?`,
				"Nothing was restored.",
			);
		const { saved } = await replaceBy(backup.place, options);
		say(`Restored ${content}. Keys and sessions stayed as they were.`);
		say(`The earlier content is in ${saved}.`);
	},
});

/** Reports on stdout, and says what is wrong with the file. */
async function restoreForService(
	file: string,
	options: Options,
	by: string,
): Promise<void> {
	let isSound = false;
	const nothing = { animals: undefined, backup: undefined, edit: undefined };
	let report: ValueOf<typeof restoredBackup>;
	try {
		using backup = openSound(file);
		const { animals } = backup;
		// The caller has confirmed the number in the name.
		const named = readBackupName(basename(file))?.animals;
		if (named !== animals)
			throw new OperatorError(
				`The backup has ${toQuantity(animals, "animal")}, and its name says ${named}.`,
			);
		isSound = true;
		const done = await replaceBy(backup.place, options, {
			by,
			at: Date.now(),
		});
		const saved = basename(done.saved);
		report = { animals, backup: saved, edit: done.edit, problem: undefined };
	} catch (error) {
		if (isSound || !(error instanceof OperatorError)) throw error;
		report = { ...nothing, problem: error.message };
	}
	print(restoredBackup.write(report));
}

/** Everything, into an empty database. */
async function fill(
	backup: Place,
	{ database, signal }: Options,
): Promise<void> {
	const onRows = showAnimals(signal);
	await withStore(database, "create", async ({ archive, keys }) => {
		const work = () => transfer(backup, here, { onRows });
		await archive.write(work).catch(throwRestated);
		const now = Date.now();
		const valid = (await keys.list()).filter(
			({ revokedAt, expiresAt = Infinity }) =>
				revokedAt === undefined && expiresAt > now,
		);
		say(
			`Valid again: ${toQuantity(valid.length, "key")}. Revoke those that must not work.`,
		);
		say("Restart the service if it was running on this database before.");
	});
}

/** In one transaction, so the backup of before has exactly what is replaced. */
async function replaceBy(
	backup: Place,
	{ database, folder, signal }: Options,
	replacedBy: Authored = byCommandLine(),
) {
	const place = { folder: folderOf(folder, database) };
	let edit: bigint | undefined;
	const { path } = await withStore(database, "write", async (store) => {
		const { databaseBytes } = await store.describe();
		return makeBackup(store.archive.write, place, {
			databaseBytes,
			onRows: showAnimals(signal),
			*follow() {
				const onRows = showAnimals(signal);
				edit = yield* transfer(backup, here, { replacedBy, onRows });
			},
		});
	}).catch((error) => {
		// The backup of before could not be made.
		if (error instanceof OperatorError && !signal.aborted)
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
