// Syncs files and folders.
import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the new name of a file durable. */
export function syncFolder(folder: string): void {
	sync(folder, "r");
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
