// Removes a temporary folder of ours with the files in it.
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Does nothing if the folder is missing. Removes one file at a time: on Windows Bun removes a whole folder by a call that some file
 * systems and Wine lack (https://github.com/oven-sh/bun/pull/34832).
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
