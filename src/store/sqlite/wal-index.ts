// Notices commits by the header of the WAL index, memory that all connections to a database share (https://sqlite.org/walformat.html).
import { type Pointer, toArrayBuffer } from "bun:ffi";
import { readFileSync, realpathSync } from "node:fs";
import { toNames } from "./file.ts";

/** The length of the header in words of 32 bits. Every commit changes it before it returns. */
const headerWords = 12;
/** The first word of every WAL index since SQLite 3.7.0. */
const formatVersion = 3_007_000;

/**
 * Whether there was a commit since the last call, by any process. Reading the header as a file would add 11 % to the processor time of a
 * list, and `PRAGMA data_version` more. Without the header, each call may have missed a commit.
 */
export function watchCommits(path: string): () => boolean {
	const header = findHeader(path);
	if (header === undefined) return () => true;
	const seen = new Uint32Array(headerWords);
	return () => {
		let isNew = false;
		for (let word = 0; word < headerWords; word++) {
			const current = header[word] ?? 0;
			if (current !== seen[word]) isNew = true;
			seen[word] = current;
		}
		return isNew;
	};
}

/**
 * In SQLite's own mapping, which stays until the last connection of this process closes. The file must not be mapped again: closing it
 * would release SQLite's locks. Only Linux lists the mappings.
 */
function findHeader(path: string): Uint32Array | undefined {
	try {
		const file = realpathSync(toNames(path).shm);
		const mapping = readFileSync("/proc/self/maps", "utf8")
			.split("\n")
			.find(
				(line) => line.includes("-s 00000000 ") && line.endsWith(` ${file}`),
			);
		const address = Number.parseInt(mapping ?? "", 16);
		if (!isPointer(address)) return undefined;
		const header = new Uint32Array(toArrayBuffer(address, 0, 4 * headerWords));
		return header[0] === formatVersion ? header : undefined;
	} catch {
		return undefined;
	}
}

function isPointer(address: number): address is Pointer {
	return Number.isSafeInteger(address);
}
