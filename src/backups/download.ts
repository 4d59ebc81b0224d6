// Sends backups in parts. Only a small part of each is in memory.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import {
	Failure,
	overloaded,
	toReason,
	unavailable,
} from "../domain/errors.ts";
import { toPartStream } from "../http/parts.ts";
import { slowReaderMs } from "../limits.ts";
import { hasCode } from "./folder.ts";

/** Simultaneous downloads of backups, and how much of one is read at once. */
const maxDownloads = 4;

const downloadChunkBytes = 64 * 1024;

export type Download = ReturnType<typeof createDownloads>;

/** A client that stops reading is disconnected. */
export function createDownloads({
	max = maxDownloads,
	timeoutMs = slowReaderMs,
} = {}) {
	let running = 0;
	return async (path: string): Promise<ReadableStream<Uint8Array>> => {
		if (running >= max) throw overloaded;
		running++;
		try {
			const file = await openFile(path);
			return toPartStream(
				() => readChunk(file),
				timeoutMs,
				() => {
					running--;
					file.close().catch(() => {});
				},
			);
		} catch (error) {
			running--;
			throw error;
		}
	};
}

/** Follows no symbolic link, even a new one. */
async function openFile(path: string): Promise<FileHandle> {
	try {
		return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	} catch (error) {
		// ELOOP: it is a symbolic link.
		throw hasCode(error, "ENOENT") || hasCode(error, "ELOOP")
			? new Failure("not_found", "No backup has this name.")
			: unavailable(`The backup cannot be read: ${toReason(error)}.`);
	}
}

async function readChunk(file: FileHandle): Promise<Uint8Array | undefined> {
	const chunk = new Uint8Array(downloadChunkBytes);
	const { bytesRead } = await file.read(chunk, 0, chunk.length);
	return bytesRead === 0 ? undefined : chunk.subarray(0, bytesRead);
}
