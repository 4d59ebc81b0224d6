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
import type { Origin, Part } from "../store/archive/archive.ts";
import { syncFile, syncFolder } from "../store/folders.ts";
import { loadBackupFiles, openBackup } from "../store/open.ts";
import { hasCode, removeLeftovers } from "./folder.ts";
import { toBackupName, toPartialName } from "./names.ts";

/** The file to make, or the folder in which the backup gets a name by its catalogue and its time. */
export type Place = { readonly file: string } | { readonly folder: string };

/** A failure leaves no file. */
export async function makeBackup(parts: AsyncIterable<Part>, place: Place) {
	try {
		return await makeOrFail(parts, place);
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		const cause = error instanceof Failure ? (error.cause ?? error) : error;
		// Not the folder: the service sends this sentence in replies.
		const what = "file" in place ? `The backup ${place.file}` : "The backup";
		throw new OperatorError(
			`${what} cannot be made: ${toReason(cause)}. No file was left.`,
		);
	}
}

/** If the process exits before the end, the partial file is removed too. */
async function makeOrFail(parts: AsyncIterable<Part>, place: Place) {
	const begun = performance.now();
	if ("file" in place && existsSync(place.file)) throw nameTaken(place.file);
	const partial = await createPartial(
		"file" in place ? dirname(place.file) : place.folder,
	);
	const remove = () => rmSync(partial, { force: true });
	process.once("exit", remove);
	try {
		const { writeBackupFile } = await loadBackupFiles();
		const origin = await writeBackupFile(partial, parts);
		const animals = await checkBackup(partial);
		const path = publish(partial, place, origin);
		const { size: bytes } = statSync(path);
		return { path, animals, bytes, ms: performance.now() - begun };
	} finally {
		remove();
		process.off("exit", remove);
	}
}

/** Only its owner can read it, from the first byte on: it has the hashes of the keys. */
async function createPartial(folder: string): Promise<string> {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	await removeLeftovers(folder);
	const partial = join(folder, toPartialName());
	closeSync(openSync(partial, "wx", 0o600));
	return partial;
}

async function checkBackup(path: string): Promise<number> {
	const backup = await openBackup(path);
	try {
		const { animals, findings } = await backup.check();
		if (findings.length > 0)
			throw new OperatorError(
				`The backup is damaged (${toQuantity(findings.length, "problem")}) and was removed. First problem: ${findings[0]}`,
			);
		return animals;
	} finally {
		await backup.close();
	}
}

/** Gives the complete file its name, and never overwrites another. Returns its path. */
function publish(partial: string, place: Place, origin: Origin): string {
	syncFile(partial);
	for (let number = 0; ; number++) {
		const path =
			"file" in place
				? place.file
				: join(place.folder, toBackupName(origin, number));
		if (giveName(partial, path)) {
			syncFolder(dirname(path));
			return path;
		}
		if ("file" in place) throw nameTaken(path);
	}
}

/** Returns false if another file has the name. */
function giveName(partial: string, path: string): boolean {
	try {
		linkSync(partial, path);
	} catch (error) {
		if (existsSync(path)) return false;
		// Some file systems have no links.
		if (!noLinks.some((code) => hasCode(error, code))) throw error;
		renameSync(partial, path);
	}
	return true;
}

const noLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function nameTaken(path: string): OperatorError {
	return new OperatorError(`${path} already exists. Name another file.`);
}
