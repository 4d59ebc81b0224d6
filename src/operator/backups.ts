// Backups of the catalogue: make, list and download them.
import { join } from "node:path";
import {
	type BackupFolder,
	type Backup as Listed,
	maxListedBackups,
} from "../backups/folder.ts";
import type { BackupMaker } from "../backups/maker.ts";
import { withTimeout } from "../domain/async.ts";
import {
	Failure,
	OperatorError,
	toReason,
	unavailable,
} from "../domain/errors.ts";
import { next, pageOf } from "../domain/pet/cursor.ts";
import { toQuantity } from "../domain/quantity.ts";
import { list, object } from "../domain/types/object.ts";
import { count, flag } from "../domain/types/scalar.ts";
import { withDescription } from "../domain/types/type.ts";
import { Answer, requireFound } from "../interface/operation.ts";
import { Backup, backupName } from "../interface/replies.ts";
import { longWriteMs } from "../limits.ts";
import {
	type OperatorResource,
	type OperatorService,
	operation,
	toEditHeader,
} from "./operation.ts";

const backupMediaType = "application/vnd.sqlite3";

const missing = "No backup has this name.";
const notBackup = new Failure(
	"invalid_file",
	"The file is no backup, or a service has used it as its database. Nothing was restored.",
);

const params = { name: withDescription(backupName, "The name of the backup.") };

const createBackup = operation({
	method: "POST",
	path: "/backups",
	summary: "Make a backup",
	description:
		"Makes a backup in the folder of backups, in a process of its own, and removes older ones as `--backup-keep` says. The reply comes when the backup is complete and checked; a million animals take some seconds. After 50 seconds it is a 503, and the backup continues.",
	reply: object("MadeBackup", "A backup that was made.", {
		name: backupName,
	}),
	status: 201,
	errors: ["conflict"],
	async handle(_, service, { request, source }) {
		const maker = requireMaker(service);
		source.allowIdle(request, longWriteMs);
		return { name: await makeInTime(maker, longWriteMs) };
	},
});

function requireMaker({ backups }: OperatorService): BackupMaker {
	if (backups.maker) return backups.maker;
	throw new Failure(
		"conflict",
		"This service makes no backups. Start it with --backups FOLDER, and with a database that is not in memory.",
	);
}

/** A backup that takes longer continues. */
export async function makeInTime(
	maker: Pick<BackupMaker, "make">,
	ms: number,
): Promise<string> {
	const making = maker.make().catch((error) => {
		throw error instanceof OperatorError
			? unavailable(`No backup was made: ${error.message}`)
			: error;
	});
	const name = await withTimeout(ms, making, () =>
		unavailable(
			"The backup takes longer than a reply may. It continues, and the list of backups has it when it is complete.",
		),
	);
	if (name !== undefined) return name;
	throw new Failure("conflict", "A backup is being made. Wait until it ends.");
}

const listBackups = operation({
	method: "GET",
	path: "/backups",
	summary: "List the backups",
	description:
		"The backups of the folder that have the names that `petstore backup` gives: newest first, at most 1,000. A service without a folder has none, and `hasFolder` is false. While the reply has a `next`, more follow.",
	query: pageOf("backups", maxListedBackups),
	reply: object("Backups", "The backups of the folder.", {
		backups: list(Backup, maxListedBackups),
		next,
		hasFolder: flag("Whether the service has a folder of backups."),
	}),
	async handle({ limit, cursor = 0n }, { backups: { folder } }) {
		const all = await readFolder(folder);
		const end = Number(cursor) + limit;
		const backups = all.slice(Number(cursor), end);
		const next = end < all.length ? BigInt(end) : undefined;
		return { backups, next, hasFolder: folder.path !== undefined };
	},
});

function readFolder(folder: BackupFolder): Promise<readonly Listed[]> {
	return folder.list().catch((error) => {
		throw unavailable(`The backup folder cannot be read: ${toReason(error)}.`);
	});
}

async function findBackup(folder: BackupFolder, name: string): Promise<Listed> {
	const found = await readFolder(folder);
	return requireFound(
		found.find((one) => one.name === name),
		missing,
	);
}

const downloadBackup = operation({
	method: "GET",
	path: "/backups/{name}",
	summary: "Download a backup",
	description:
		"The file, as an attachment. It holds the hashes of the keys. A caller that reads nothing for 10 seconds is disconnected.",
	params,
	missing,
	fileReply: { [backupMediaType]: "A SQLite database." },
	async handle({ name }, { backups: { folder } }) {
		await findBackup(folder, name);
		return new Answer(
			undefined,
			{
				"Content-Type": backupMediaType,
				"Content-Disposition": `attachment; filename="${name}"`,
			},
			// Without a folder no backup is found.
			Bun.file(join(folder.path ?? "", name)),
		);
	},
});

const restoreBackup = operation({
	method: "POST",
	path: "/backups/{name}/restore",
	summary: "Restore a backup",
	description:
		"Replaces animals, categories, history, edits, Idempotency-Keys and ids of imports by those of the backup, in one transaction, after a backup of before. Keys and sessions stay as they are. Positions of the feed and ETags of animals of before end. If the backup is of another catalogue, authors keep their names only, and Idempotency-Keys are left out. Until it ends, lists and gets go on, and writes wait or get a 503. After 50 seconds it is rolled back with a 503; `petstore restore` has no limit.",
	params,
	missing,
	body: object("RestoredAnimals", "A check that it is the right backup.", {
		animals: count("Its number of animals. With another, nothing is done."),
	}),
	reply: object("RestoredBackup", "A backup that was restored.", {
		animals: count("The number of animals."),
		backup: withDescription(backupName, "The name of the backup of before."),
	}),
	headers: ["Edit-Id"],
	errors: ["conflict", "invalid_file"],
	command: false,
	async handle({ name, animals }, service, { request, source, identity }) {
		const maker = requireMaker(service);
		const { folder } = service.backups;
		const found = await findBackup(folder, name).catch((error) => {
			if (error instanceof Failure && error.code === "not_found")
				if (folder.hasFile(name)) throw notBackup;
			throw error;
		});
		if (found.animals !== animals)
			throw new Failure(
				"conflict",
				`The backup has ${toQuantity(found.animals, "animal")}. Nothing was restored.`,
			);
		source.allowIdle(request, 2 * longWriteMs);
		const done = await maker.restore(name, identity.author);
		return new Answer(
			{ animals: done.animals, backup: done.backup },
			toEditHeader(done.edit),
		);
	},
});

export const backups: OperatorResource = {
	tag: "backups",
	description: "Backups of the catalogue.",
	operations: { createBackup, listBackups, downloadBackup, restoreBackup },
};
