// What is in a folder of backups, and which processes make one there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { toBackupTime } from "../../src/backups/names.ts";

/** The processes of `petstore backup` in this folder. */
export function findMakers(folder: string): number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
				return words.includes("backup") && words.includes(folder);
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** The files that are named like a backup. */
export function findNamed(folder: string): string[] {
	return existsSync(folder)
		? readdirSync(folder).filter((name) => toBackupTime(name) !== undefined)
		: [];
}
