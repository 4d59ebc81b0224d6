// Builds what Bun runs: the program as one file, and its bytecode, with which commands start in two thirds of the time. Another version of
// Bun ignores the bytecode.
import { utimesSync } from "node:fs";
import { root } from "./root.ts";

/** Keeps the names of functions, and the path of each source in a comment, so that a stack trace is readable. */
export async function buildProgram(folder: string): Promise<void> {
	const begun = new Date();
	const { outputs } = await Bun.build({
		entrypoints: [`${root}src/cli/main.ts`],
		root,
		outdir: `${folder}program`,
		target: "bun",
		format: "cjs",
		bytecode: true,
		// In CommonJS, Bun writes the path of the source into the program instead. The package runs in another folder.
		banner: "var PETSTORE_FILE = __filename;",
		define: { "import.meta.path": "PETSTORE_FILE" },
	});
	// A source that has changed since then is newer.
	for (const { path } of outputs) utimesSync(path, begun, begun);
}
