// How this program was started, and where its files are. It runs from its source, from the bundle in dist/ (which starts faster),
// or as an executable in one file.

import { fstatSync, statSync } from "node:fs";

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
		: [
				// As in bin/petstore.
				...["--no-env-file", "--no-install", "--config=/dev/null"],
				Bun.fileURLToPath(main),
			];
	return {
		program: process.execPath,
		args: [...start, ...words],
		env: { ...process.env, ...variables },
	};
}

const isSource = import.meta.url.endsWith("/src/program.ts");

const main = isSource
	? new URL("cli/main.ts", import.meta.url)
	: new URL(import.meta.url);

/** The URL of a file or folder, by its path in the project. An executable contains it beside this code. */
export function locate(path: string): URL {
	const project = isSource ? "../" : "../../../../";
	return new URL(
		Bun.isStandaloneExecutable ? path : project + path,
		import.meta.url,
	);
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
