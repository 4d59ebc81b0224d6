// Folder operations that differ between platforms.
import {
	closeSync,
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
	if (platform === "win32") return;
	const directory = openSync(folder, "r");
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}

/**
 * Removes a temporary folder with its files, if it exists. Removes one file at a time: on Windows Bun removes a whole folder by a call that
 * some file systems and Wine lack (https://github.com/oven-sh/bun/pull/34832).
 */
export function removeFolder(path: string): void {
	try {
		for (const name of readdirSync(path))
			rmSync(join(path, name), { force: true });
		rmdirSync(path);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT")
			return;
		throw error;
	}
}
