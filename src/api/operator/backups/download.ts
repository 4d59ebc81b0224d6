// Sends the file of a backup as a stream, of which only a small part is in memory. A client that stops reading is disconnected.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../../backups/folder.ts";
import { noSuchBackup } from "../../../contract/operator/backups.ts";
import { overloaded, toReason, unavailable } from "../../../domain/errors.ts";
import { toPartStream } from "../../../http/part-stream.ts";
import {
	downloadChunkBytes,
	maxDownloads,
	slowReaderMs,
} from "../../../limits.ts";

export type Download = (
	folder: string,
	name: string,
) => Promise<ReadableStream<Uint8Array>>;

export function createDownloads({
	max = maxDownloads,
	timeoutMs = slowReaderMs,
} = {}): Download {
	let running = 0;
	return async (folder, name) => {
		if (running >= max) throw overloaded;
		running++;
		try {
			const file = await openFile(join(folder, name));
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

/** Not what a link leads to, also if the link was made a moment ago. */
async function openFile(path: string): Promise<FileHandle> {
	try {
		return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	} catch (error) {
		// On a link the code is ELOOP.
		if (hasCode(error, "ENOENT") || hasCode(error, "ELOOP"))
			throw noSuchBackup();
		throw unavailable(`The backup cannot be read: ${toReason(error)}.`);
	}
}

async function readChunk(file: FileHandle): Promise<Uint8Array | undefined> {
	const chunk = new Uint8Array(downloadChunkBytes);
	const { bytesRead } = await file.read(chunk, 0, chunk.length);
	return bytesRead === 0 ? undefined : chunk.subarray(0, bytesRead);
}
