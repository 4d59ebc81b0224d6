// Makes a backup: writes it under another name, checks and syncs it, and then gives it its name.
import {
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, OperatorError, toReason } from "../contract/errors.ts";
import type { Part } from "../store/archive.ts";
import { openBackup, writeBackupFile } from "../store/open.ts";
import { removeLeftovers, syncFolder } from "./folder.ts";
import { toBackupName, toPartialName } from "./names.ts";

export interface MadeBackup {
	readonly path: string;
	readonly animals: number;
	readonly bytes: number;
	readonly ms: number;
}

/** What fails leaves no file. If the process exits meanwhile, the partial file is removed too. */
export async function makeBackup(
	parts: AsyncIterable<Part>,
	path: string,
): Promise<MadeBackup> {
	const begun = performance.now();
	return orOperatorError(path, async () => {
		const partial = createPartial(path);
		const remove = () => rmSync(partial, { force: true });
		process.once("exit", remove);
		try {
			await writeBackupFile(partial, parts);
			const animals = await checkBackup(partial);
			publish(partial, path);
			const { size: bytes } = statSync(path);
			return { path, animals, bytes, ms: performance.now() - begun };
		} finally {
			remove();
			process.off("exit", remove);
		}
	});
}

/** A name in the folder that is free. */
export function toFreePath(folder: string, at = new Date()): string {
	for (let number = 0; ; number++) {
		const path = join(folder, toBackupName(at, number));
		if (!existsSync(path)) return path;
	}
}

/** Only its owner can read it, from the first byte on: it has the hashes of the keys. */
function createPartial(path: string): string {
	// The whole path: on Windows Bun takes "." for a file (https://github.com/oven-sh/bun/pull/38084).
	const folder = resolve(dirname(path));
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	removeLeftovers(folder);
	if (existsSync(path)) throw isThere(path);
	const partial = join(folder, toPartialName(basename(path)));
	closeSync(openSync(partial, "wx", 0o600));
	return partial;
}

/** Returns the number of animals. */
export async function checkBackup(path: string): Promise<number> {
	const backup = await openBackup(path);
	try {
		const { animals, findings, count } = await backup.check();
		if (count > 0)
			throw new OperatorError(
				`The backup is damaged (${count} problems), so it was not kept. The first: ${findings[0]}`,
			);
		return animals;
	} finally {
		await backup.close();
	}
}

/** Gives the complete file its name, and never overwrites another. */
export function publish(partial: string, path: string): void {
	const file = openSync(partial, "r+");
	fsyncSync(file);
	closeSync(file);
	try {
		linkSync(partial, path);
	} catch (error) {
		// Some file systems have no links. On Windows the code for that is EISDIR.
		if (existsSync(path)) throw isThere(path);
		if (!isUnsupported(error)) throw error;
		renameSync(partial, path);
	}
	rmSync(partial, { force: true });
	syncFolder(dirname(path));
}

function isUnsupported(error: unknown): boolean {
	return (
		error instanceof Error &&
		"code" in error &&
		/^(EPERM|EISDIR|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(String(error.code))
	);
}

function isThere(path: string): OperatorError {
	return new OperatorError(
		`${path} is there already; a backup overwrites nothing. Name another file.`,
	);
}

async function orOperatorError<Result>(
	path: string,
	make: () => Promise<Result>,
): Promise<Result> {
	try {
		return await make();
	} catch (error) {
		if (error instanceof OperatorError) throw error;
		const cause = error instanceof Failure ? (error.cause ?? error) : error;
		throw new OperatorError(
			`The backup ${path} cannot be made: ${toReason(cause)}. Nothing was left of it.`,
		);
	}
}
