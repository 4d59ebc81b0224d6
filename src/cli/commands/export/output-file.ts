// Writes a file beside its final name, makes it durable and renames it. So a file with that name is always whole.
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncFolder } from "../../../backups/folder.ts";
import { OperatorError, toReason } from "../../../domain/errors.ts";

export async function writeFile(
	path: string,
	chunks: AsyncIterable<Uint8Array>,
	isGzip: boolean,
	signal: AbortSignal,
): Promise<void> {
	const unfinished = `${path}.${process.pid}.unfinished`;
	try {
		const source = Readable.from(chunks, { objectMode: false });
		const target = createWriteStream(unfinished, { flags: "wx" });
		if (isGzip) await pipeline(source, createGzip(), target, { signal });
		else await pipeline(source, target, { signal });
		await sync(unfinished);
		signal.throwIfAborted();
		await rename(unfinished, path);
		syncFolder(dirname(path));
	} catch (error) {
		await rm(unfinished, { force: true });
		signal.throwIfAborted();
		if (!isSystemError(error)) throw error;
		throw new OperatorError(`${path} cannot be written: ${toReason(error)}.`);
	}
}

/** Windows syncs only a file that may be written. */
async function sync(path: string): Promise<void> {
	const file = await open(path, "r+");
	await file.sync().finally(() => file.close());
}

function isSystemError(error: unknown): boolean {
	return error instanceof Error && "syscall" in error;
}
