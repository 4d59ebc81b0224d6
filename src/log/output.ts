// Writes log lines. A line that would have to wait is dropped, so a full disk or pipe blocks nothing.
import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { maxLogLineBytes } from "../limits.ts";

export interface Output {
	readonly isTerminal: boolean;
	/** A longer line might be written in part, and mixed with the lines of other processes. */
	readonly maxLineBytes: number;
	readonly write: (line: string) => void;
}

/** `second` is a path that opens stderr a second time. Only Linux has one. */
export function openStderr(second = "/proc/self/fd/2"): Output {
	return toOutput(openAgain(second));
}

/**
 * A pipe takes a line of up to `maxLineBytes` whole or not at all. Elsewhere the system may take a part, for example when the disk is full.
 * The rest then goes before the next line, which is dropped if that fails.
 */
export function toOutput(fd: number): Output {
	const isOnTerminal = isTerminal(fd);
	const isUnlimited = isOnTerminal || isFile(fd);
	let rest = Buffer.alloc(0);
	return {
		isTerminal: isOnTerminal,
		maxLineBytes: isUnlimited ? Number.POSITIVE_INFINITY : maxLogLineBytes,
		write(line) {
			if (rest.length > 0) rest = rest.subarray(tryToWrite(fd, rest));
			if (rest.length > 0) return;
			const bytes = Buffer.from(line);
			const written = tryToWrite(fd, bytes);
			if (written > 0) rest = bytes.subarray(written);
		},
	};
}

/** Not every system can describe a pipe. */
function isFile(fd: number): boolean {
	try {
		return fstatSync(fd).isFile();
	} catch {
		return false;
	}
}

/** 0 if nothing can be written, whatever the reason. */
function tryToWrite(fd: number, bytes: Uint8Array): number {
	try {
		return writeSome(fd, bytes);
	} catch {
		return 0;
	}
}

/** Returns the number of bytes written: 0 if a pipe is full. Bun makes pipes non-blocking, so a write fails instead of waiting. */
export function writeSome(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EAGAIN")
			return 0;
		throw error;
	}
}

/**
 * A descriptor of stderr that does not block. A terminal or pipe is opened again, since O_NONBLOCK on the inherited descriptor would affect
 * other processes too. A file never blocks, and a second descriptor would overwrite what others write to it. A socket cannot be opened
 * again, so a Bun writer makes it non-blocking. `process.stderr` would do the same, but takes long to load.
 */
function openAgain(second: string): number {
	const { O_WRONLY, O_NONBLOCK } = constants;
	try {
		if (isFile(2)) return 2;
		return openSync(second, O_WRONLY | O_NONBLOCK);
	} catch {
		Bun.stderr.writer();
		return 2;
	}
}

/** Loads node:tty only for what may be a terminal, because it takes much of the heap. */
export function isTerminal(fd: number): boolean {
	return mayBeTerminal(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

/** Not for files, pipes and /dev/null. Not every system can describe a descriptor. */
function mayBeTerminal(fd: number): boolean {
	try {
		const found = fstatSync(fd);
		return (
			found.isCharacterDevice() && found.rdev !== statSync("/dev/null").rdev
		);
	} catch {
		return true;
	}
}
