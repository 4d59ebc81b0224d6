// Where log lines are written. A line that cannot be written without waiting is dropped, so a full disk or pipe stops nothing.
import { constants, fstatSync, openSync, writeSync } from "node:fs";
import { maxLogLineBytes } from "../limits.ts";
import { toProc } from "../program.ts";
import { isTerminal } from "./terminal.ts";

export interface Output {
	readonly isTerminal: boolean;
	/** A longer line might be written in part, and mixed with the lines of other processes. */
	readonly maxLineBytes: number;
	readonly write: (line: string) => void;
}

/** `second` is a path that opens stderr a second time. Only Linux has one. */
export function openStderr(second = `${toProc()}/self/fd/2`): Output {
	return toOutput(openAgain(second));
}

/**
 * A pipe takes a line of up to `maxLineBytes` whole or not at all. Elsewhere the system may take a part, for example when the disk is
 * full. Then the rest is written before the next line, which is dropped if that fails.
 */
export function toOutput(fd: number): Output {
	const isOnTerminal = isTerminal(fd);
	const isUnlimited = isOnTerminal || isFile(fd);
	let rest = Buffer.alloc(0);
	return {
		isTerminal: isOnTerminal,
		maxLineBytes: isUnlimited ? Number.POSITIVE_INFINITY : maxLogLineBytes,
		write(line) {
			if (rest.length > 0) rest = rest.subarray(writeSome(fd, rest));
			if (rest.length > 0) return;
			const bytes = Buffer.from(line);
			const written = writeSome(fd, bytes);
			if (written > 0) rest = bytes.subarray(written);
		},
	};
}

/** Not every system tells what a pipe is. */
function isFile(fd: number): boolean {
	try {
		return fstatSync(fd).isFile();
	} catch {
		return false;
	}
}

/** How many bytes were written: 0 if none could be. */
function writeSome(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch {
		return 0;
	}
}

/**
 * A descriptor of stderr that does not block. A terminal or pipe is opened a second time, since O_NONBLOCK on the inherited
 * descriptor would also apply to other processes that have it. A file does not block, and with two descriptors the log would
 * overwrite what others write to it. A socket cannot be opened again; Bun makes it non-blocking when `process.stderr` is used.
 */
function openAgain(second: string): number {
	const { O_WRONLY, O_NONBLOCK } = constants;
	try {
		if (isFile(2)) return 2;
		return openSync(second, O_WRONLY | O_NONBLOCK);
	} catch {
		return process.stderr.fd;
	}
}
