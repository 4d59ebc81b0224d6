// Syncs files and folders, and removes folders. Some of it differs between platforms.
import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readdirSync,
	rmdirSync,
	rmSync,
} from "node:fs";
import { join } from "node:path";

/** Makes the new name of a file durable. Windows cannot open a folder. */
export function syncFolder(
	folder: string,
	platform: string = process.platform,
): void {
	if (platform !== "win32") sync(folder, "r");
}

export function syncFile(path: string): void {
	sync(path, "r+");
}

function sync(path: string, mode: "r" | "r+"): void {
	const file = openSync(path, mode);
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

/**
 * Removes a temporary folder with its files, if it exists. Removes one file at a time: on Windows Bun removes a whole folder by a call that
 * some file systems and Wine lack (https://github.com/oven-sh/bun/pull/34832).
 */
export function removeFolder(path: string): void {
	if (!existsSync(path)) return;
	for (const name of readdirSync(path))
		rmSync(join(path, name), { force: true });
	rmdirSync(path);
}
