// createBackup, listBackups and downloadBackup: the files in the backup folder. Only a small part of a download is in memory.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { withTimeout } from "../../../async/waiting.ts";
import { type Backup, hasCode, listBackups } from "../../../backups/folder.ts";
import type { BackupMaker } from "../../../backups/maker.ts";
import {
	backupFailed,
	backupMediaType,
	backupRunning,
	type backups,
	noBackups,
	noSuchBackup,
	takesLong,
} from "../../../contract/operator/backups.ts";
import {
	OperatorError,
	overloaded,
	toReason,
	unavailable,
} from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import { toPartStream } from "../../../http/part-stream.ts";
import { notStored } from "../../../http/reply.ts";
import type { Route } from "../../../http/surface.ts";
import {
	backupAnswerMs,
	downloadChunkBytes,
	maxDownloads,
	slowReaderMs,
} from "../../../limits.ts";
import { toJsonReply } from "../replies.ts";

export interface BackupPlace {
	readonly folder: string | undefined;
	readonly maker: BackupMaker | undefined;
}

export function createBackupHandlers(
	{ folder, maker }: BackupPlace,
	{ answerMs = backupAnswerMs } = {},
): Readonly<Record<keyof typeof backups.operations, Route["handle"]>> {
	const download = createDownloads();
	return {
		async createBackup({ request, source }) {
			if (maker === undefined) throw noBackups();
			source.allowIdle(request, answerMs);
			const name = await withTimeout(answerMs, make(maker), takesLong);
			if (name === undefined) throw backupRunning();
			return toJsonReply({ name });
		},

		async listBackups() {
			const found = await list(folder);
			return toJsonReply({
				backups: found.map(({ name, bytes, createdAt }) => ({
					name,
					bytes,
					createdAt: toTimeText(createdAt),
				})),
				hasFolder: folder !== undefined,
			});
		},

		async downloadBackup({ request, segment }) {
			const found = await list(folder);
			const backup = found.find(({ name }) => name === segment);
			if (folder === undefined || backup === undefined) throw noSuchBackup();
			const { name } = backup;
			const isHead = request.method === "HEAD";
			return {
				own: {
					...notStored,
					"Content-Disposition": `attachment; filename="${name}"`,
				},
				mediaType: backupMediaType,
				// Nothing reads the body of a HEAD.
				body: isHead ? new ReadableStream() : await download(folder, name),
			};
		},
	};
}

async function make(maker: BackupMaker): Promise<string | undefined> {
	try {
		return await maker.make();
	} catch (error) {
		throw error instanceof OperatorError ? backupFailed(error.message) : error;
	}
}

function list(folder: string | undefined): Promise<Backup[]> {
	return listBackups(folder).catch((error) => {
		throw unavailable(`The backup folder cannot be read: ${toReason(error)}.`);
	});
}

/** A client that stops reading is disconnected. */
export function createDownloads({
	max = maxDownloads,
	timeoutMs = slowReaderMs,
} = {}): (folder: string, name: string) => Promise<ReadableStream<Uint8Array>> {
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

/** Follows no symbolic link, even a new one. */
async function openFile(path: string): Promise<FileHandle> {
	try {
		return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	} catch (error) {
		// ELOOP: it is a symbolic link.
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
