// Makes a backup: writes it under another name, checks and syncs it, and then gives it its name.
import {
	closeSync,
	existsSync,
	linkSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure, OperatorError, toReason } from "../domain/errors.ts";
import { toQuantity } from "../domain/quantity.ts";
import type { Work } from "../store/sql.ts";
import {
	createBackupFile,
	type Origin,
	openBackupFile,
} from "../store/sqlite/backup-file.ts";
import type { TransferOptions } from "../store/transfer.ts";
import {
	removeLeftovers,
	sync,
	toBackupName,
	toPartialName,
} from "./folder.ts";

/** The file to make, or the folder in which the backup gets a name by its catalogue and its time. */
export type Place = { readonly file: string } | { readonly folder: string };

export interface Made {
	readonly path: string;
	readonly animals: number;
	readonly bytes: number;
	readonly ms: number;
}

/** `run` runs the work in one transaction, or on one moment of the database. `then` follows in the same. A failure leaves no file. */
export async function makeBackup(
	run: (work: () => Work<Made>) => Promise<Made>,
	place: Place,
	onRows?: TransferOptions["onRows"],
	then?: (made: Made) => Work<void>,
): Promise<Made> {
	const begun = performance.now();
	let isMade = false;
	try {
		if ("file" in place && existsSync(place.file)) throw nameTaken(place.file);
		using partial = createPartial(
			"file" in place ? dirname(place.file) : place.folder,
		);
		return await run(function* () {
			const origin = yield* partial.file.write(onRows);
			const animals = checkBackup(partial.path);
			const path = publish(partial.path, place, origin);
			const { size: bytes } = statSync(path);
			const made = { path, animals, bytes, ms: performance.now() - begun };
			isMade = true;
			if (then !== undefined) yield* then(made);
			return made;
		});
	} catch (error) {
		if (error instanceof OperatorError || isMade) throw error;
		const cause = error instanceof Failure ? (error.cause ?? error) : error;
		// Not the folder: the service sends this sentence in replies.
		const what = "file" in place ? `The backup ${place.file}` : "The backup";
		throw new OperatorError(
			`${what} cannot be made: ${toReason(cause)}. No file was left.`,
		);
	}
}

/**
 * Only its owner can read it, from the first byte on: it has the hashes of the keys. If the process exits before the end, the file is removed
 * too.
 */
function createPartial(folder: string) {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	removeLeftovers(folder);
	const path = join(folder, toPartialName());
	const remove = () => rmSync(path, { force: true });
	process.once("exit", remove);
	closeSync(openSync(path, "wx", 0o600));
	const file = createBackupFile(path);
	return {
		path,
		file,
		[Symbol.dispose]() {
			file.close();
			remove();
			process.off("exit", remove);
		},
	};
}

function checkBackup(path: string): number {
	using backup = openBackupFile(path);
	const { animals, findings } = backup.check();
	if (findings.length > 0)
		throw new OperatorError(
			`The backup is damaged (${toQuantity(findings.length, "problem")}) and was removed. First problem: ${findings[0]}`,
		);
	return animals;
}

/** Gives the complete file its name, and never overwrites another. Returns its path. */
function publish(partial: string, place: Place, origin: Origin): string {
	sync(partial);
	for (let number = 0; ; number++) {
		const path =
			"file" in place
				? place.file
				: join(place.folder, toBackupName(origin, number));
		if (giveName(partial, path)) {
			sync(dirname(path));
			return path;
		}
		if ("file" in place) throw nameTaken(path);
	}
}

/** Returns false if another file has the name. */
function giveName(partial: string, path: string): boolean {
	try {
		linkSync(partial, path);
	} catch {
		if (existsSync(path)) return false;
		// Some file systems have no links.
		renameSync(partial, path);
	}
	return true;
}

function nameTaken(path: string): OperatorError {
	return new OperatorError(`${path} already exists. Name another file.`);
}
