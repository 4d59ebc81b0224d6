// Removes a temporary folder of ours with the files in it.
import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Does nothing if it is gone. One file at a time: on Windows Bun removes a folder with all that is in it by a call that not every file
 * system has, and Wine has not (https://github.com/oven-sh/bun/pull/34832).
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
