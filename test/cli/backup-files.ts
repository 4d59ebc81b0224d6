// What is in a folder of backups, and which processes make one there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { toBackupTime } from "../../src/backups/names.ts";

/** The processes of `petstore backup` in this folder. One that is ending has no arguments any more, but its partial file names it. */
export function findMakers(folder: string): number[] {
	const writers = readNames(folder).flatMap(
		(name) => /\.(\d+)\.\w+\.partial$/.exec(name)?.[1] ?? [],
	);
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
				const isMaker = words.includes("backup") && words.includes(folder);
				return isMaker || writers.includes(pid);
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** The files that are named like a backup. */
export function findNamed(folder: string): string[] {
	return readNames(folder).filter((name) => toBackupTime(name) !== undefined);
}

function readNames(folder: string): string[] {
	return existsSync(folder) ? readdirSync(folder) : [];
}
