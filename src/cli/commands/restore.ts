// `petstore restore`: puts a backup into an empty database, or replaces a database's content.
import { existsSync, realpathSync } from "node:fs";
import { makeBackup } from "../../backups/make.ts";
import { OperatorError, restate } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import type { ValuesOf } from "../../domain/type.ts";
import type { DatabaseUrl } from "../../store/database-url.ts";
import type { Key } from "../../store/keys.ts";
import { openBackupFile } from "../../store/sqlite/backup-file.ts";
import type { Store } from "../../store/store.ts";
import { here, notEmpty, type Place, transfer } from "../../store/transfer.ts";
import { toCommand, toSwitch } from "../command.ts";
import { database, folder, pathOf, yes } from "../flags.ts";
import { canAsk, requireYes, say } from "../terminal/print.ts";
import { exitAtSignals } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";
import { createCounts } from "./backup.ts";

const flags = {
	replace: toSwitch("Back up the database, then replace its content."),
	yes,
	folder,
	database,
};

type RestoreFlags = ValuesOf<typeof flags>;

export const command = toCommand("restore", {
	arguments: { file: pathOf("Backup to restore.") },
	flags,
	help: `The backup is checked first. With --replace the service may run: it refuses adds
during the restore and then serves the content of the backup. The keys come from
the backup. All sessions of the console end.`,
	examples: [
		"petstore restore backups/petstore-3f9a01c2-20270131T081500Z.db",
		"petstore restore backups/petstore-3f9a01c2-20270131T081500Z.db --replace",
	],
	async run({ file, ...flags }) {
		requireOther(file, flags.database);
		exitAtSignals();
		using backup = openBackupFile(file);
		const { animals, findings } = backup.check();
		for (const finding of findings) say(finding);
		if (findings.length > 0)
			throw new OperatorError(
				`${file} is damaged (${toQuantity(findings.length, "problem")}); nothing was restored.`,
			);
		const { replace, yes, database } = flags;
		if (replace && !yes && !canAsk())
			throw new OperatorError(
				"restore cannot ask for confirmation without a terminal; add --yes to replace the content.",
				2,
			);
		const content = `the ${toQuantity(animals, "animal")} of ${file}`;
		const question = replace
			? `Replace everything in ${database.shown} with ${content}?`
			: `Put ${content} into ${database.shown}?`;
		if (!yes) await requireYes(question, "Nothing was restored.");
		await withStore(database, "create", (store) =>
			restoreInto(store, backup.place, file, flags),
		).catch((error) => {
			throw restate(
				error,
				"The database cannot answer now, and nothing was restored; run the command again.",
				"It is not known whether the backup was restored; run the command again.",
			);
		});
	},
});

function requireOther(backup: string, database: DatabaseUrl): void {
	if (database.isInMemory)
		throw new OperatorError(
			"An in-memory database ends with its process; name another database with --database.",
			2,
		);
	if (database.file !== undefined && toReal(backup) === toReal(database.file))
		throw new OperatorError(
			"The backup and the database are the same file; name another database with --database.",
			2,
		);
}

function toReal(path: string): string {
	return existsSync(path) ? realpathSync(path) : path;
}

async function restoreInto(
	{ archive, keys }: Store,
	backup: Place,
	file: string,
	{ replace, folder }: RestoreFlags,
): Promise<void> {
	const { onRows, toText } = createCounts();
	const messages: string[] = [];
	try {
		await archive.write(() => transfer(backup, here, { onRows }));
	} catch (error) {
		if (!(error instanceof OperatorError) || error.message !== notEmpty)
			throw error;
		if (!replace)
			throw new OperatorError(
				`${notEmpty} Nothing was restored; add --replace to back up the database and replace its content.`,
			);
		const before = await keys.list();
		// In one transaction, so this backs up exactly the content that is replaced.
		const { path } = await makeBackup(
			archive.write,
			{ folder },
			undefined,
			() => transfer(backup, here, { replace, onRows }),
		);
		messages.push(
			`The earlier content is in ${path}.`,
			...findKeyWarnings(before, await keys.list()),
		);
	}
	say(`Restored ${toText()} from ${file}.`);
	for (const message of messages) say(message);
}

/** Warns of keys that the restore changes. Compares hashes: another database may use the same id for another key. */
function findKeyWarnings(
	before: readonly Key[],
	restored: readonly Key[],
): string[] {
	const kept = new Set(restored.map(({ hash }) => hash));
	const earlier = new Map(before.map((key) => [key.hash, key]));
	const changes = {
		"are not in the backup were removed": before.filter(
			({ hash }) => !kept.has(hash),
		),
		"were revoked after the backup are valid again": restored.filter(
			({ hash, revokedAt }) =>
				revokedAt === undefined && earlier.get(hash)?.revokedAt !== undefined,
		),
	};
	const toName = ({ id, name }: Key) => `${JSON.stringify(name)} (${id})`;
	return Object.entries(changes)
		.filter(([, keys]) => keys.length > 0)
		.map(
			([change, keys]) =>
				`Warning: keys that ${change}: ${keys.map(toName).join(", ")}.`,
		);
}
