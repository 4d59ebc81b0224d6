// The backup folder: lists its backups, finds the newest, and removes old ones and partial files of killed processes.
import { readdirSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OperatorError, toReason } from "../domain/errors.ts";
import type { BackupState, Backups } from "../store/archive/backups.ts";
import { syncFolder } from "../store/folders.ts";
import { isInFuture } from "../store/keys.ts";
import { loadBackupFiles } from "../store/open.ts";
import { byAge, toBackupTime, toWriter } from "./names.ts";

/** Backups that the operator interface lists: years of daily ones. */
export const maxListedBackups = 1_000;
/** A partial backup of another machine counts as abandoned after this time without a write. */
const partialBackupMs = 24 * 60 * 60 * 1000;

export interface Backup {
	readonly name: string;
	readonly bytes: number;
	/** When it was begun, by its name, in milliseconds since 1970. */
	readonly createdAt: number;
}

/** Throws an OperatorError if backups cannot be read there. A missing folder is accepted: the first backup makes it. */
export function requireReadable(folder: string): void {
	try {
		readdirSync(folder);
	} catch (error) {
		if (!hasCode(error, "ENOENT"))
			throw new OperatorError(
				`The backup folder ${folder} cannot be read: ${toReason(error)}.`,
			);
	}
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}

/** Regular files that are named like a backup, newest first. A missing folder has none. */
export async function listBackups(
	folder: string | undefined,
): Promise<Backup[]> {
	if (folder === undefined) return [];
	const names = await readdir(folder).catch((error) => {
		if (hasCode(error, "ENOENT")) return [];
		throw error;
	});
	const newest = names.filter(isBackup).sort(byAge).slice(0, maxListedBackups);
	const found = newest.map(async (name) => {
		const file = await findFile(join(folder, name));
		const createdAt = toBackupTime(name) ?? 0;
		return file === undefined ? [] : [{ name, bytes: file.size, createdAt }];
	});
	return (await Promise.all(found)).flat();
}

/**
 * The newest backup that the database has recorded, or a newer file of its catalogue in this machine's folder. Times in the future come from
 * a wrong clock and do not count: they would hide for years that no backup is made.
 */
export async function readNewest(
	{ read }: Pick<Backups, "read">,
	folder: string | undefined,
): Promise<BackupState> {
	const state = await read();
	const found = await listBackups(folder).catch(() => []);
	const own = `petstore-${state.catalogue}-`;
	const times = found.flatMap(({ name, createdAt }) =>
		name.startsWith(own) ? [createdAt] : [],
	);
	const now = Date.now();
	const newestAt = [state.newestAt ?? 0, ...times]
		.filter((time) => !isInFuture(time, now))
		.reduce((newest, time) => Math.max(newest, time), 0);
	return { ...state, newestAt: newestAt === 0 ? undefined : newestAt };
}

function isBackup(name: string): boolean {
	return toBackupTime(name) !== undefined;
}

/** Undefined for a link, a folder or a missing file. */
async function findFile(path: string) {
	const file = await lstat(path).catch(() => undefined);
	return file?.isFile() ? file : undefined;
}

/**
 * Removes the oldest backups of the same catalogue until `keep` are left. The content of a file counts, not its name. Backups with a later
 * time than the new one come from a wrong clock: they are neither counted nor removed. Returns the names.
 */
export async function removeOlder(
	made: string,
	keep: number,
): Promise<string[]> {
	const { findOrigin } = await loadBackupFiles();
	const [folder, latest] = [dirname(made), findOrigin(made)];
	if (latest === undefined) return [];
	const others: { name: string; madeAt: number }[] = [];
	for (const name of (await readdir(folder)).filter(isBackup)) {
		const path = join(folder, name);
		const origin = (await findFile(path)) && findOrigin(path);
		if (origin?.catalogue !== latest.catalogue || name === basename(made))
			continue;
		if (origin.madeAt <= latest.madeAt)
			others.push({ name, madeAt: origin.madeAt });
	}
	const older = others
		.sort((one, other) => other.madeAt - one.madeAt)
		.slice(keep - 1)
		.map(({ name }) => name);
	// Another backup may remove them at the same time.
	for (const name of older) await rm(join(folder, name), { force: true });
	if (older.length > 0) syncFolder(folder);
	return older;
}

/** Removes the partial backups of processes that have ended: files of ours, with a name that only this program makes. */
export async function removeLeftovers(folder: string): Promise<void> {
	const { isOurs } = await loadBackupFiles();
	for (const name of await readdir(folder)) {
		const writer = toWriter(name);
		const path = join(folder, name);
		const file = writer && (await findFile(path));
		if (file === undefined || isWritten(writer?.pid, file.mtimeMs)) continue;
		if (file.size === 0 || isOurs(path)) await rm(path, { force: true });
	}
}

/** Whether a process may still write the file. Processes of other machines are judged by the age of the file. */
function isWritten(pid: number | undefined, writtenAt: number): boolean {
	if (pid === undefined) return Date.now() - writtenAt < partialBackupMs;
	// In a container an earlier process may have had the same id.
	if (pid === process.pid) return writtenAt >= performance.timeOrigin;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It runs as another user.
		return hasCode(error, "EPERM");
	}
}
