// Writes log lines. A line that would have to wait is dropped, so a full disk or pipe blocks nothing.
import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";

export interface Output {
	readonly isTerminal: boolean;
	readonly write: (line: string) => void;
}

/** To stderr. The system may take only a part of a line. The rest goes before the next line, which is dropped if that fails. */
export function openOutput(fd = openStderr()): Output {
	let rest = Buffer.alloc(0);
	return {
		isTerminal: isTerminal(fd),
		write(line) {
			if (rest.length > 0) rest = rest.subarray(tryToWrite(fd, rest));
			if (rest.length > 0) return;
			const bytes = Buffer.from(line);
			const written = tryToWrite(fd, bytes);
			if (written > 0) rest = bytes.subarray(written);
		},
	};
}

/**
 * A descriptor of stderr that does not block. A terminal or pipe is opened again, since O_NONBLOCK on the inherited descriptor would affect
 * other processes too. A file never blocks, and a second descriptor would overwrite what others write to it. A socket cannot be opened
 * again, so a Bun writer makes it non-blocking. `process.stderr` would do the same, but takes long to load.
 */
export function openStderr(second = "/proc/self/fd/2"): number {
	const { O_WRONLY, O_NONBLOCK } = constants;
	try {
		if (fstatSync(2).isFile()) return 2;
		return openSync(second, O_WRONLY | O_NONBLOCK);
	} catch {
		Bun.stderr.writer();
		return 2;
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

/** Loads node:tty only for what may be a terminal, because it takes much of the heap: not for files, pipes and /dev/null. */
export function isTerminal(fd: number): boolean {
	try {
		const found = fstatSync(fd);
		const mayBeTerminal =
			found.isCharacterDevice() && found.rdev !== statSync("/dev/null").rdev;
		return mayBeTerminal && process.getBuiltinModule("node:tty").isatty(fd);
	} catch {
		return false;
	}
}
