// The backup folder: where it is, the names of its files, and which of them are removed.
import {
	closeSync,
	fsyncSync,
	lstatSync,
	openSync,
	readdirSync,
	rmSync,
} from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { withTimeout } from "../domain/async.ts";
import { isInFuture } from "../store/access/keys.ts";
import type { BackupState } from "../store/files/backups.ts";
import { isBackup } from "../store/sqlite/backup-file.ts";

/** Backups that the operator interface lists: years of daily ones. */
export const maxListedBackups = 1_000;
/** How long a request waits for the folder. */
const lookMs = 1_000;

export interface Backup {
	readonly name: string;
	readonly bytes: number;
	readonly animals: number;
	/** When it was begun, in milliseconds since 1970. */
	readonly createdAt: number;
}

/** `petstore-3f9a01c2-20270131T081500Z-20088.db`: the id of the catalogue, the time and the number of animals. */
export function toBackupName(
	catalogue: string,
	createdAt: number,
	animals: number,
): string {
	const time = new Date(createdAt).toISOString().replace(/[-:]|\.\d+/g, "");
	return `petstore-${catalogue}-${time}-${animals}.db`;
}

/** Two backups may begin within a second. The later one is named by a free second, so that names tell their order. */
export function toNewName(
	folder: string,
	catalogue: string,
	madeAt: number,
	animals: number,
): string {
	const taken = readdirSync(folder);
	for (let at = madeAt; ; at += 1_000) {
		const name = toBackupName(catalogue, at, animals);
		const second = name.slice(0, name.lastIndexOf("-") + 1);
		if (!taken.some((one) => one.startsWith(second))) return name;
	}
}

const backupName = /^petstore-[0-9a-f]{8}-(\d{8}T\d{6})Z-(\d{1,10})\.db$/;

/** What the name of a backup says; undefined for another name. */
export function readBackupName(name: string): Named | undefined {
	const [, time = "", animals] = backupName.exec(name) ?? [];
	const createdAt = Date.parse(
		time.replace(/(..)(..)T(..)(..)(..)/, "-$1-$2T$3:$4:$5Z"),
	);
	if (Number.isNaN(createdAt)) return undefined;
	return { name, createdAt, animals: Number(animals) };
}

export type BackupFolder = ReturnType<typeof openFolder>;

/** A folder may hang, for example on a dead network disk: one look runs at a time, and nobody waits for it longer than `lookMs`. */
export function openFolder(path: string | undefined, find = listBackups) {
	let looking: Promise<readonly Backup[]> | undefined;

	/** The backups, newest first. Fails if the folder does not answer. */
	async function list(): Promise<readonly Backup[]> {
		if (path === undefined) return [];
		looking ??= find(path).finally(() => {
			looking = undefined;
		});
		return withTimeout(lookMs, looking, () => new Error("it does not answer"));
	}

	return {
		path,
		list,
		/** Whether a file has the name of a backup, for one that is not listed: its first bytes are others. */
		hasFile: (name: string): boolean =>
			path !== undefined &&
			readBackupName(name) !== undefined &&
			lstatSync(join(path, name), { throwIfNoEntry: false })?.isFile() === true,
		/** With the newest of the catalogue if the folder answers: a command may have made it, which the database does not know. */
		async withNewest(state: BackupState) {
			const found = await list().catch(() => []);
			// One from a wrong clock would hide those after it.
			const last = found.find(
				({ name, createdAt }) =>
					isOf(state.catalogue, name) && !isInFuture(createdAt, Date.now()),
			);
			const newest = Math.max(state.newestAt ?? 0, last?.createdAt ?? 0);
			const isSince = newest > (state.triedAt ?? 0);
			const failure = isSince ? undefined : state.failure;
			return { ...state, last, newestAt: newest || undefined, failure };
		},
	};
}

/** The newest backups, by their names and first bytes, newest first. */
export async function listBackups(folder: string): Promise<readonly Backup[]> {
	return checkFiles(
		folder,
		(await readNames(folder)).slice(0, maxListedBackups),
	);
}

type Named = Omit<Backup, "bytes">;

/** What is named like a backup, newest first. A missing folder has none. */
async function readNames(folder: string): Promise<readonly Named[]> {
	const names = await readdir(folder).catch((error) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT")
			return [];
		throw error;
	});
	return names
		.flatMap((name) => readBackupName(name) ?? [])
		.sort((one, other) => other.createdAt - one.createdAt);
}

async function checkFiles(
	folder: string,
	named: readonly Named[],
): Promise<readonly Backup[]> {
	const found = named.map(async (one) => {
		const bytes = await findBytes(join(folder, one.name));
		return bytes === undefined ? [] : [{ ...one, bytes }];
	});
	return (await Promise.all(found)).flat();
}

/** The size; undefined for a link, a folder, another file, or one that another process has removed. */
async function findBytes(path: string): Promise<number | undefined> {
	const found = await lstat(path).catch(() => undefined);
	if (!found?.isFile()) return undefined;
	const first = await Bun.file(path)
		.slice(0, 100)
		.bytes()
		.catch(() => "");
	return isBackup(Buffer.from(first)) ? found.size : undefined;
}

function isOf(catalogue: string, name: string): boolean {
	return name.startsWith(`petstore-${catalogue}-`);
}

/**
 * Removes the oldest backups of the same catalogue until `keep` are left, with the new one. Those with a later time come from a wrong
 * clock: they are neither counted nor removed.
 */
export async function removeOlder(
	folder: string,
	made: string,
	keep: number,
): Promise<void> {
	const [, catalogue = ""] = made.split("-");
	const before = (await readNames(folder)).filter(
		({ name }) => isOf(catalogue, name) && name < made,
	);
	const older = (await checkFiles(folder, before)).slice(keep - 1);
	// Another backup may remove them at the same time.
	for (const { name } of older) rmSync(join(folder, name), { force: true });
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
