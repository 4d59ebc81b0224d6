// Keeps the new name of a file through a power cut. Windows cannot open a folder.
import { closeSync, fsyncSync, openSync } from "node:fs";

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
