// Builds what Bun runs: the program as one file, and its bytecode, with which commands start in two thirds of the time. Another version of
// Bun ignores the bytecode.
import { mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { root } from "./root.ts";

/** Keeps the names of functions, and the path of each source in a comment, so that a stack trace is readable. */
export async function buildProgram(): Promise<void> {
	const begun = new Date();
	const { outputs } = await Bun.build({
		entrypoints: [`${root}src/cli/main.ts`],
		root,
		target: "bun",
		format: "cjs",
		bytecode: true,
	});
	for (const output of outputs)
		replace(
			folder + output.path,
			Buffer.from(await output.arrayBuffer()),
			begun,
		);
}

const folder = `${root}dist/program/`;

/** In one step, because a program may read it. Its time is the start of the build, so a source changed since then is newer. */
function replace(path: string, content: Buffer, time: Date): void {
	const partial = `${path}.${process.pid}`;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(partial, content);
	utimesSync(partial, time, time);
	renameSync(partial, path);
}
