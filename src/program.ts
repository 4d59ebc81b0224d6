// How this program was started, and where its files are. It runs from its source, from the bundle in dist/ (which starts faster),
// or as an executable in one file.

import { fullGC } from "bun:jsc";
import { fstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

declare const PETSTORE_COMMIT: string;

/** The commit that an executable was built from. The build defines PETSTORE_COMMIT. */
export const commit =
	typeof PETSTORE_COMMIT === "string" ? PETSTORE_COMMIT : undefined;

/** The command of a process for a task, which it gets as a message: other users of the machine can read command lines. */
export const taskWord = "task";

/** The command line that starts such a process. */
export function toTaskCommand(): string[] {
	const start = Bun.isStandaloneExecutable
		? []
		: isSource
			? [
					// As in bin/petstore.
					...["--no-env-file", "--no-install", "--config=/dev/null"],
					join(folder, "cli/main.ts"),
				]
			: [...process.execArgv, import.meta.path];
	return [process.execPath, ...start, taskWord];
}

// Not import.meta.url: build/program.ts defines only this one as the path at run time.
const folder = dirname(import.meta.path);

const isSource = /[\\/]src[\\/]program\.ts$/.test(import.meta.path);

/** The path of a file or folder, by that in the project. An executable contains it beside this code. */
export function locate(path: string): string {
	const project = isSource ? ".." : "../../../..";
	return join(folder, Bun.isStandaloneExecutable ? "." : project, path);
}

/** The resident memory of this process in bytes. Undefined if no descriptor is left to read it. */
export function readMemory(): number | undefined {
	try {
		return process.memoryUsage.rss();
	} catch {
		return undefined;
	}
}

/** Collects garbage beside the event loop, for long work: of itself, Bun lets as much pile up as is in use, and keeps it. */
export function collectSoon(): void {
	Bun.gc(false);
}

let running = 0;

/** Runs long work that keeps many values. `collectSoon` leaves those that were kept for long; they are collected when the work is over. */
export async function collecting<Result>(
	work: () => Promise<Result>,
): Promise<Result> {
	running++;
	try {
		return await work();
	} finally {
		running--;
		// When the reply is made. With the values of other long work it would take tens of milliseconds, and so it would if it freed the memory
		// at once, as gcAndSweep does.
		setTimeout(() => running > 0 || fullGC(), 1).unref();
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
