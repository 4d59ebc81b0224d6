// A file with the sandbox's address and key, for programs that start it and wait until it is ready.
import {
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { defaultKey } from "../../sandbox/access.ts";
import { orExplain, printOrFail } from "../terminal/print.ts";

export type ReadyFile = ReturnType<typeof createReadyFile>;

/** Instead of a path. */
export const stdout = "-";

/** Removes the file of an earlier sandbox: a program that waits for the file would read the old address. */
export function createReadyFile(path: string) {
	const problem = `The file ${path} of --ready-file cannot be written`;
	let written: string | undefined;
	if (path !== stdout) orExplain(problem, () => removeRegular(path));
	return {
		write(ready: { readonly url: string; readonly key: string }) {
			const text = `${JSON.stringify(ready)}\n`;
			if (path === stdout) return printOrFail(text);
			const mode = ready.key === defaultKey ? 0o644 : 0o600;
			orExplain(problem, () => writeWhole(path, text, mode));
			written = text;
		},
		/** Keeps the file if another sandbox has replaced it. */
		remove(): void {
			if (written === undefined) return;
			try {
				if (readFileSync(path, "utf8") === written) rmSync(path);
			} catch {}
		},
	};
}

/** Renames a second file, so that no reader sees half of it. Other users cannot plant a link under its random name. */
function writeWhole(path: string, text: string, mode: number): void {
	const beside = `${path}.${crypto.randomUUID()}`;
	try {
		writeFileSync(beside, text, { flag: "wx", mode });
		renameSync(beside, path);
	} finally {
		rmSync(beside, { force: true });
	}
}

/** A device or a pipe is not ours to remove. */
function removeRegular(path: string): void {
	if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
		throw new Error("it is not a regular file");
	rmSync(path, { force: true });
}
