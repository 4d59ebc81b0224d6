// Makes a backup: writes it under another name, checks and syncs it, and then gives it its name.
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	statfsSync,
	statSync,
} from "node:fs";
import { join } from "node:path";
import {
	Failure,
	OperatorError,
	StoreFailure,
	toReason,
} from "../domain/errors.ts";
import { toQuantity, toSizeText } from "../domain/quantity.ts";
import { object } from "../domain/types/object.ts";
import { anyText, count, size } from "../domain/types/scalar.ts";
import type { ValueOf } from "../domain/types/type.ts";
import type { Work } from "../store/database/sql.ts";
import type { TransferOptions } from "../store/files/transfer.ts";
import {
	createBackupFile,
	openBackupFile,
} from "../store/sqlite/backup-file.ts";
import { sync, toNewName } from "./folder.ts";

/** A partial backup that nobody has written for this time is of a process that was killed. */
const partialMs = 60 * 60 * 1000;

/** Without a name, the backup gets one by its catalogue, its time and its animals. */
export interface BackupPlace {
	readonly folder: string;
	readonly name?: string | undefined;
}

interface BackupTask {
	/** Of the database. As much must stay free. */
	readonly databaseBytes?: number;
	readonly onRows?: TransferOptions["onRows"];
	/** Follows in the same transaction. */
	readonly follow?: () => Work<void>;
}

/** What `petstore backup --json` prints. */
export const madeBackup = object("", "A backup that was made.", {
	path: anyText("The path of its file."),
	animals: count("Its animals."),
	bytes: size("Its size."),
});

export type Made = ValueOf<typeof madeBackup>;

/** `run` runs the work in one transaction, or on one moment of the database. A failure leaves no file. */
export async function makeBackup(
	run: (work: () => Work<Made>) => Promise<Made>,
	{ folder, name }: BackupPlace,
	{ databaseBytes = 0, onRows, follow }: BackupTask = {},
): Promise<Made> {
	let isMade = false;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		if (name !== undefined && existsSync(join(folder, name)))
			throw new OperatorError(`${name} already exists. Name another file.`);
		requireSpace(folder, databaseBytes);
		using partial = createPartial(folder);
		return await run(function* () {
			const { catalogue, madeAt } = yield* partial.file.write(onRows);
			const { animals, [Symbol.dispose]: close } = openSound(partial.path, {
				isNew: true,
			});
			close();
			sync(partial.path);
			const path = join(
				folder,
				name ?? toNewName(folder, catalogue, madeAt, animals),
			);
			renameSync(partial.path, path);
			sync(folder);
			isMade = true;
			if (follow !== undefined) yield* follow();
			return { path, animals, bytes: statSync(path).size };
		});
	} catch (error) {
		// The caller says what else was not done.
		const isOfCaller = isMade || (follow && error instanceof StoreFailure);
		if (isOfCaller || error instanceof OperatorError) throw error;
		const cause = error instanceof Failure ? (error.cause ?? error) : error;
		throw new OperatorError(
			`The backup cannot be made in ${folder}: ${toReason(cause)}. No file was left.`,
		);
	}
}

/** A full disk would stop a database on it. The backup will be about as large as the database. */
function requireSpace(folder: string, databaseBytes: number): void {
	const { bavail, bsize } = statfsSync(folder);
	if (bavail * bsize < 2 * databaseBytes)
		throw new OperatorError(
			`The backup was not begun: its disk has ${toSizeText(bavail * bsize)} free, and must have ${toSizeText(2 * databaseBytes)}, twice the size of the database.`,
		);
}

/** Only its owner can read it, from the first byte on: it has the hashes of the keys. */
function createPartial(folder: string) {
	removeLeftovers(folder);
	const path = join(folder, `petstore-backup.${crypto.randomUUID()}.partial`);
	closeSync(openSync(path, "wx", 0o600));
	using undo = new DisposableStack();
	undo.defer(() => rmSync(path, { force: true }));
	const file = createBackupFile(path);
	undo.defer(file.close);
	const done = undo.move();
	return { path, file, [Symbol.dispose]: () => done.dispose() };
}

/** Removes the partial backups of processes that were killed. */
function removeLeftovers(folder: string): void {
	for (const name of readdirSync(folder)) {
		if (!/^petstore-backup\.[0-9a-f-]{36}\.partial$/.test(name)) continue;
		const path = join(folder, name);
		const file = statSync(path, { throwIfNoEntry: false });
		if (file && Date.now() - file.mtimeMs > partialMs)
			rmSync(path, { force: true });
	}
}

/** Opens a backup that it has checked as a whole. One that was just made has the damage of its database. */
export function openSound(path: string, { isNew = false } = {}) {
	const backup = openBackupFile(path);
	const { animals, problems, findings, note } = backup.check({ isNew });
	if (problems === 0) return { ...backup, animals, note };
	backup[Symbol.dispose]();
	throw new OperatorError(
		`The ${isNew ? "database" : "backup"} is damaged (${toQuantity(problems, "problem")}). First problem: ${findings[0]?.replace(/\.$/, "")}.`,
	);
}
