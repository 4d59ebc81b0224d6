// Reads a file, or stdin, in chunks, and decompresses it if it is a gzip file.
import { createReadStream, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperatorError, toReason } from "../../contract/errors.ts";

export interface Input {
	readonly chunks: AsyncIterable<Uint8Array>;
	/** What was read of the whole, from 0 to 1; undefined if its size is not known. */
	readonly part: () => number | undefined;
}

export function openInput(
	file: string,
	isGzip: boolean,
	signal: AbortSignal,
): Input {
	const size = file === "-" ? undefined : sizeOf(file);
	const raw: Readable =
		file === "-"
			? process.stdin
			: createReadStream(file, { highWaterMark: chunkBytes });
	let bytes = 0;
	raw.on("data", (chunk: Uint8Array) => {
		bytes += chunk.length;
	});
	raw.pause();
	const stream = isGzip ? pipeline(raw, createGunzip(), () => {}) : raw;
	const stop = () => stream.destroy(signal.reason);
	signal.addEventListener("abort", stop);
	return {
		chunks: readAll(stream, file, signal),
		part: () =>
			size === undefined || size === 0 ? undefined : Math.min(1, bytes / size),
	};
}

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
	try {
		for await (const chunk of stream) yield chunk;
	} catch (error) {
		signal.throwIfAborted();
		throw cannotRead(file, error);
	}
	signal.throwIfAborted();
}

function cannotRead(file: string, error: unknown): OperatorError {
	const name = file === "-" ? "stdin" : file;
	return new OperatorError(
		`${name} cannot be read: ${toReason(error)}. Nothing was added.`,
	);
}
