// Reads a file, or stdin, in chunks, and decompresses it if it is a gzip file.
import { createReadStream, statSync } from "node:fs";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperatorError, toReason } from "../../../domain/errors.ts";

export function openInput(file: string, isGzip: boolean, signal: AbortSignal) {
	if (file === "-")
		return {
			chunks: readAll(process.stdin, "stdin", signal),
			part: () => undefined,
		};
	const size = sizeOf(file);
	const raw = createReadStream(file, { highWaterMark: chunkBytes });
	const stream = isGzip ? pipeline(raw, createGunzip(), () => {}) : raw;
	return {
		chunks: readAll(stream, file, signal),
		/** The share that was read, from 0 to 1; undefined if the size is not known. */
		part: () => (size ? Math.min(1, raw.bytesRead / size) : undefined),
	};
}

const chunkBytes = 256 * 1024;

/** Undefined if not known, as for a pipe. */
function sizeOf(file: string): number | undefined {
	try {
		const found = statSync(file);
		if (found.isDirectory()) throw new Error("it is a folder");
		return found.isFile() ? found.size : undefined;
	} catch (error) {
		throw cannotRead(file, error);
	}
}

async function* readAll(
	stream: Readable,
	name: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	try {
		yield* addAbortSignal(signal, stream);
	} catch (error) {
		signal.throwIfAborted();
		throw cannotRead(name, error);
	}
}

function cannotRead(name: string, error: unknown): OperatorError {
	return new OperatorError(
		`${name} cannot be read: ${toReason(error)}. Nothing was imported.`,
	);
}
