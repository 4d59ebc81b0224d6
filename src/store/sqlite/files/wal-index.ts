// Reads SQLite's WAL index, memory that all connections to a file share (https://sqlite.org/walformat.html, section 2), in SQLite's own
// mapping. It must not be mapped again: closing the file would release SQLite's locks.
import { type Pointer, toArrayBuffer } from "bun:ffi";
import type { Database } from "bun:sqlite";
import { readFileSync, statSync } from "node:fs";
import { toNames } from "./file.ts";

/** The beginning of the WAL index, as words of 32 bits. Must not be read after the connection was closed. */
export type WalIndex = Uint32Array;

/** The length of the header, which every commit changes before it returns. */
export const headerWords = 12;

/** The WAL index in the memory of this process; undefined unless it is found for certain. Only Linux has the file `maps`. */
export function findWalIndex(
	db: Database,
	path: string,
	maps = "/proc/self/maps",
): WalIndex | undefined {
	// A connection maps the memory with its first read.
	db.query("SELECT 1 FROM sqlite_schema").get();
	const address = findMapping(path, maps);
	if (!isPointer(address)) return undefined;
	const index = new Uint32Array(toArrayBuffer(address, 0, 4 * headerWords));
	return index[0] === formatVersion ? index : undefined;
}

/** The first word of every WAL index since SQLite 3.7.0. */
const formatVersion = 3_007_000;

/** The address at which the WAL index is mapped: Linux lists the mappings with the device and the inode of their files. */
function findMapping(path: string, maps: string): number {
	try {
		const { dev, ino } = statSync(toNames(path).shm, { bigint: true });
		const mapping = new RegExp(
			`^([0-9a-f]+)-[0-9a-f]+ rw-s 0+ ${toDeviceText(dev)} ${ino} `,
			"m",
		);
		const listed = readFileSync(maps, "latin1");
		return Number.parseInt(mapping.exec(listed)?.[1] ?? "", 16);
	} catch {
		return Number.NaN;
	}
}

/** A device number as /proc shows it: `major:minor` in hexadecimal, at least two digits each. */
function toDeviceText(device: bigint): string {
	const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
	const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
	return [major, minor]
		.map((number) => number.toString(16).padStart(2, "0"))
		.join(":");
}

function isPointer(address: number): address is Pointer {
	return Number.isSafeInteger(address);
}
