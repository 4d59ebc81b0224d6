// The backup folder: its files, their names, and which of them are removed.
import {
	closeSync,
	fsyncSync,
	openSync,
	readdirSync,
	rmSync,
	statSync,
} from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withTimeout } from "../domain/async.ts";
import { OperatorError, toReason } from "../domain/errors.ts";
import type { BackupState } from "../store/backups.ts";
import { isInFuture } from "../store/keys.ts";
import {
	findOrigin,
	isBackup,
	type Origin,
} from "../store/sqlite/backup-file.ts";

/** Backups that the operator interface lists: years of daily ones. */
export const maxListedBackups = 1_000;
/** How long a look into the folder may take. */
const lookMs = 1_000;
/** A partial backup that nobody has written for this time is of a process that was killed. */
const partialMs = 60 * 60 * 1000;

export interface Backup {
	readonly name: string;
	readonly bytes: number;
	/** When it was begun, by its name, in milliseconds since 1970. */
	readonly createdAt: number;
}

/** `petstore-3f9a01c2-20270131T081500Z.db`: the id of the catalogue and the time, and a number after the first backup of a second. */
export function toBackupName(
	{ catalogue, madeAt }: Origin,
	number = 0,
): string {
	const time = new Date(madeAt).toISOString().replace(/[-:]|\.\d+/g, "");
	return `petstore-${catalogue}-${time}${number === 0 ? "" : `-${number}`}.db`;
}

/** The time in the name of a backup, in milliseconds since 1970; undefined if it is not named like one. */
export function toBackupTime(name: string): number | undefined {
	const [, year, month, day, hour, minute, second] =
		/^petstore-[0-9a-f]{8}-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d{1,3})?\.db$/.exec(
			name,
		) ?? [];
	const time = Date.parse(
		`${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
	);
	return Number.isNaN(time) ? undefined : time;
}

/** A backup has this name until it is complete. */
export function toPartialName(): string {
	return `petstore-backup.${crypto.randomUUID()}.partial`;
}

const partialName = /^petstore-backup\.[0-9a-f-]{36}\.partial$/;

/** Throws an OperatorError if backups cannot be read there. A missing folder is accepted: the first backup makes it. */
export async function requireReadable(folder: string): Promise<void> {
	await openFolder(folder)
		.list()
		.catch((error) => {
			throw new OperatorError(
				`The backup folder ${folder} cannot be read: ${toReason(error)}.`,
			);
		});
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}

export type BackupFolder = ReturnType<typeof openFolder>;

/** A folder may hang, for example on a dead network disk: only one look runs at a time, and nobody waits for one that takes longer than `lookMs`. */
export function openFolder(path: string | undefined, find = listBackups) {
	let known: readonly Backup[] = [];
	let looking: Promise<readonly Backup[]> | undefined;
	let next: Promise<readonly Backup[]> | undefined;
	let isHanging = false;

	async function lookAgain(): Promise<readonly Backup[]> {
		await looking?.catch(() => {});
		next = undefined;
		if (path === undefined) return known;
		looking = find(path).finally(() => {
			isHanging = false;
		});
		known = await looking;
		return known;
	}

	/** Those who ask during a look share the next one, which sees what they have done. */
	function look(): Promise<readonly Backup[]> {
		next ??= lookAgain();
		return withTimeout(isHanging ? 0 : lookMs, next, () => {
			isHanging = true;
			return new Error("it does not answer");
		});
	}

	return {
		path,
		/** The backups, newest first. Fails if the folder does not answer. */
		list: look,
		/** What the last look has found. Begins another one. */
		known(): readonly Backup[] {
			look().catch(() => {});
			return known;
		},
	};
}

/** Regular files that are named like a backup, and are none that is served, newest first. A missing folder has none. */
export async function listBackups(folder: string): Promise<readonly Backup[]> {
	const names = await readdir(folder).catch((error) => {
		if (hasCode(error, "ENOENT")) return [];
		throw error;
	});
	const newest = names
		.map((name) => ({ name, createdAt: toBackupTime(name) ?? 0 }))
		.filter(({ createdAt }) => createdAt !== 0)
		.sort((one, other) => other.createdAt - one.createdAt)
		.slice(0, maxListedBackups);
	const found = newest.map(async (one) => {
		const bytes = await findBytes(join(folder, one.name));
		return bytes === undefined ? [] : [{ ...one, bytes }];
	});
	return (await Promise.all(found)).flat();
}

/** The size; undefined for a link, a folder, a database that is or was served, or another file. */
async function findBytes(path: string): Promise<number | undefined> {
	try {
		const found = await lstat(path);
		if (!found.isFile()) return undefined;
		await using file = await open(path);
		const { buffer } = await file.read(Buffer.alloc(100), 0, 100, 0);
		return isBackup(buffer) ? found.size : undefined;
	} catch {
		return undefined;
	}
}

/**
 * With the newest backup that the database has recorded, or a newer file of its catalogue in the folder. Times in the future come from a
 * wrong clock and do not count: they would hide for years that no backup is made.
 */
export function withNewest(
	state: BackupState,
	found: readonly Backup[],
): BackupState {
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

/**
 * Removes the oldest backups of the same catalogue until `keep` are left. The content of a file counts, not its name. Backups with a later
 * time than the new one come from a wrong clock: they are neither counted nor removed. Returns the names.
 */
export function removeOlder(made: string, keep: number): string[] {
	const [folder, latest] = [dirname(made), findOrigin(made)];
	if (latest === undefined) return [];
	const others: { name: string; madeAt: number }[] = [];
	for (const name of readdirSync(folder)) {
		if (toBackupTime(name) === undefined || name === basename(made)) continue;
		const { catalogue, madeAt } = findOrigin(join(folder, name)) ?? {};
		if (catalogue === latest.catalogue && Number(madeAt) <= latest.madeAt)
			others.push({ name, madeAt: Number(madeAt) });
	}
	const older = others
		.sort((one, other) => other.madeAt - one.madeAt)
		.slice(keep - 1)
		.map(({ name }) => name);
	// Another backup may remove them at the same time.
	for (const name of older) rmSync(join(folder, name), { force: true });
	if (older.length > 0) sync(folder);
	return older;
}

/** Removes the partial backups of processes that were killed. */
export function removeLeftovers(folder: string): void {
	for (const name of readdirSync(folder)) {
		if (!partialName.test(name)) continue;
		const path = join(folder, name);
		const file = statSync(path, { throwIfNoEntry: false });
		if (file && Date.now() - file.mtimeMs > partialMs)
			rmSync(path, { force: true });
	}
}

/** Makes the content of a file durable, or the names in a folder. */
export function sync(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}
