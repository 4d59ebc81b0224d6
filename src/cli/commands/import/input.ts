// Reads a file, or stdin, in chunks, and decompresses it if it is a gzip file.
import { createReadStream, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperatorError, toReason } from "../../../domain/errors.ts";

export function openInput(file: string, isGzip: boolean, signal: AbortSignal) {
	const size = file === "-" ? undefined : sizeOf(file);
	const raw = createReadStream(file, {
		...(file === "-" && { fd: stdin }),
		highWaterMark: chunkBytes,
	});
	const stream = isGzip ? pipeline(raw, createGunzip(), () => {}) : raw;
	return {
		chunks: readAll(stream, file, signal),
		/** What was read of the whole, from 0 to 1; undefined if its size is not known. */
		part: () =>
			size === undefined || size === 0
				? undefined
				: Math.min(1, raw.bytesRead / size),
	};
}

const stdin = 0;
const chunkBytes = 256 * 1024;

/** Undefined for what is not a file of known size, such as a pipe. */
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
	file: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
	for (;;) {
		signal.throwIfAborted();
		// A read of stdin ends only when there is something to read.
		const next = chunks.next().catch((error) => {
			throw cannotRead(file, error);
		});
		const { done, value } = await orAborted(next, signal);
		if (done) return;
		yield value;
	}
}

/** Not by Promise.race with one promise for all chunks, which would keep all of them in memory. */
function orAborted<Result>(
	work: Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		signal.addEventListener("abort", abort);
		work
			.then(resolve, reject)
			.finally(() => signal.removeEventListener("abort", abort));
	});
}

function cannotRead(file: string, error: unknown): OperatorError {
	const name = file === "-" ? "stdin" : file;
	return new OperatorError(
		`${name} cannot be read: ${toReason(error)}. Nothing was added.`,
	);
}
