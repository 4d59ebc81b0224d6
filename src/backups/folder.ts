// The folder of the backups: which are there, removing old ones and what killed processes have left.
import {
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readdirSync,
	readSync,
	rmSync,
} from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError, toReason } from "../contract/errors.ts";
import { maxListedBackups, partialBackupMs } from "../limits.ts";
import { byAge, isPartial, toBackupTime, toWriter } from "./names.ts";

export interface Backup {
	readonly name: string;
	readonly bytes: number;
	/** When it was begun, in milliseconds since 1970. */
	readonly createdAt: number;
}

/** Throws an OperatorError if backups cannot be read there. A folder that does not exist yet can be given: the first backup makes it. */
export function requireReadable(folder: string): void {
	try {
		readdirSync(folder);
	} catch (error) {
		if (!hasCode(error, "ENOENT"))
			throw new OperatorError(toUnreadable(folder, error));
	}
}

export function toUnreadable(folder: string, error: unknown): string {
	return `The folder of the backups ${folder} cannot be read: ${toReason(error)}.`;
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}

/** The newest first. Only regular files that are named like a backup. */
export async function listBackups(folder: string): Promise<Backup[]> {
	const names = (await readdir(folder))
		.filter((name) => toBackupTime(name) !== undefined)
		.sort(byAge)
		.slice(0, maxListedBackups);
	const found = await Promise.all(names.map((name) => find(folder, name)));
	return found.flatMap((backup) => backup ?? []);
}

/** Undefined also if it was removed a moment ago. */
async function find(folder: string, name: string): Promise<Backup | undefined> {
	const createdAt = toBackupTime(name);
	const file = await lstat(join(folder, name)).catch(() => undefined);
	return createdAt !== undefined && file?.isFile()
		? { name, bytes: file.size, createdAt }
		: undefined;
}

/** Removes all backups but the newest ones. The one with the name `made` is one of those that stay. Returns the names of the removed. */
export function removeOlder(
	folder: string,
	made: string,
	keep: number,
): string[] {
	const older = readdirSync(folder)
		.filter((name) => name !== made && toBackupTime(name) !== undefined)
		.filter((name) => isOurs(join(folder, name)))
		.sort(byAge)
		.slice(keep - 1);
	for (const name of older) rmSync(join(folder, name));
	if (older.length > 0) syncFolder(folder);
	return older;
}

/** Whether it begins like a SQLite file of ours. A link is none. */
function isOurs(path: string): boolean {
	if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return false;
	const header = Buffer.alloc(100);
	try {
		const file = openSync(path, "r");
		readSync(file, header, 0, header.length, 0);
		closeSync(file);
	} catch {
		return false;
	}
	return (
		header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
		header.toString("latin1", 68, 72) === "pets"
	);
}

/** Removes the partial backups of processes that have ended. Those of other machines count as such when they are old. */
export function removeLeftovers(folder: string): void {
	for (const name of readdirSync(folder).filter(isPartial)) {
		const path = join(folder, name);
		const writer = toWriter(name);
		const isLeft = writer === undefined ? isOld(path) : !isRunning(writer);
		if (isLeft) rmSync(path, { force: true });
	}
}

function isOld(path: string): boolean {
	const file = lstatSync(path, { throwIfNoEntry: false });
	return file !== undefined && Date.now() - file.mtimeMs > partialBackupMs;
}

/** In a container each process may have the same id, so a file with our own is that of an earlier process. */
function isRunning(pid: number): boolean {
	if (pid === process.pid) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It runs as another user.
		return hasCode(error, "EPERM");
	}
}

/** So that a name in it is still there after a power cut. Windows cannot open a folder. */
export function syncFolder(
	folder: string,
	platform: string = process.platform,
): void {
	if (platform === "win32") return;
	const directory = openSync(folder, "r");
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}
