// Writes to stdout at the reader's pace. If a slow reader would let SQLite's WAL grow, the rest goes to a temporary file first.
import { closeSync, mkdtempSync, openSync, readSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sleepThread } from "../../../async/waiting.ts";
import { writeSome } from "../../../log/output.ts";
import { removeFolder } from "../../../store/folders.ts";
import { orExplain } from "../../or-explain.ts";
import { cannotPrint, isReaderGone, writeAll } from "../../terminal/print.ts";

export async function writeStdout(
	chunks: AsyncGenerator<Uint8Array>,
	/** Whether the chunks must be read soon. */
	mustEndSoon: () => boolean,
	signal: AbortSignal,
): Promise<void> {
	for await (const chunk of chunks) {
		const unwritten = await write(chunk, mustEndSoon, signal);
		if (unwritten === undefined) return;
		if (unwritten.length > 0)
			return await writeStdout(spool(unwritten, chunks), () => false, signal);
	}
}

/** Returns the bytes that a slow reader has not taken; undefined if the reader has closed the pipe. */
async function write(
	bytes: Uint8Array,
	mustEndSoon: () => boolean,
	signal: AbortSignal,
): Promise<Uint8Array | undefined> {
	let rest = bytes;
	for (let waits = 0; rest.length > 0; ) {
		signal.throwIfAborted();
		const written = orExplain(cannotPrint, () => writeIfRead(rest));
		if (written === undefined) return undefined;
		rest = rest.subarray(written);
		waits = written > 0 ? 0 : waits + 1;
		if (waits > maxShortWaits) {
			if (mustEndSoon()) return rest;
			await sleep(longWaitMs);
		} else if (waits > 0) sleepThread(shortWaitMs);
	}
	return rest;
}

/** A fast reader empties a pipe of 64 KiB in less than a millisecond. Timers are not that exact. */
const shortWaitMs = 0.2;
const maxShortWaits = 25;
const longWaitMs = 5;

function writeIfRead(bytes: Uint8Array): number | undefined {
	try {
		// Bun makes a pipe non-blocking when `process.stdout` is used.
		return writeSome(process.stdout.fd, bytes);
	} catch (error) {
		if (isReaderGone(error)) return undefined;
		throw error;
	}
}

/** Reads all chunks into a temporary file, and yields its content. */
async function* spool(
	first: Uint8Array,
	others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	const { file, close } = openSpool();
	try {
		const add = (bytes: Uint8Array) =>
			orExplain(`The temporary file in ${tmpdir()} cannot be written`, () =>
				writeAll(file, bytes),
			);
		add(first);
		for await (const chunk of others) add(chunk);
		const buffer = new Uint8Array(spoolBytes);
		for (let position = 0; ; ) {
			const length = readSync(file, buffer, 0, spoolBytes, position);
			if (length === 0) return;
			yield buffer.subarray(0, length);
			position += length;
		}
	} finally {
		close();
	}
}

const spoolBytes = 256 * 1024;

/**
 * Removes the file's name at once, so that the file vanishes when the process exits, even by a crash. Where an open file keeps its name,
 * `close` removes it.
 */
export function openSpool(remove = removeFolder): {
	file: number;
	close: () => void;
} {
	const folder = mkdtempSync(join(tmpdir(), "petstore-export-"));
	try {
		const file = openSync(join(folder, "spool"), "wx+", 0o600);
		return {
			file,
			close() {
				closeSync(file);
				removeFolder(folder);
			},
		};
	} finally {
		try {
			remove(folder);
		} catch {}
	}
}
