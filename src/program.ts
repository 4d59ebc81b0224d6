// How this program was started, and where its files are. It runs from its source, from the bundle in dist/ (which starts faster),
// or as an executable in one file.

import { fstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

declare const PETSTORE_COMMIT: string;

/** The commit that an executable was built from. The build defines PETSTORE_COMMIT. */
export const commit =
	typeof PETSTORE_COMMIT === "string" ? PETSTORE_COMMIT : undefined;

/** Another command of this program for a child process. `variables` are added to the environment. */
export function toOtherCommand(
	words: readonly string[],
	variables: Readonly<Record<string, string>>,
) {
	const start = Bun.isStandaloneExecutable
		? []
		: isSource
			? [
					// As in bin/petstore.
					...["--no-env-file", "--no-install", "--config=/dev/null"],
					join(folder, "cli/main.ts"),
				]
			: [...process.execArgv, import.meta.path];
	return {
		program: process.execPath,
		args: [...start, ...words],
		env: { ...process.env, ...variables },
	};
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
