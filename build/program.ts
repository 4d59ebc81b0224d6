// Builds what Bun runs: the modules of the program, joined into fewer files of JavaScript. They start faster than the source, by a third
// (docs/design/speed.md).
import {
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { threadModule } from "../src/store/sqlite/requests/writer/thread.ts";
import { root } from "./root.ts";

/** Functions keep their names, and each part the path of its source in a comment, so that a stack trace can be read. */
export async function buildProgram(): Promise<void> {
	const begun = new Date();
	const { outputs } = await Bun.build({
		entrypoints: ["src/cli/main.ts", "src/package/bun.ts", threadModule].map(
			(path) => root + path,
		),
		root,
		target: "bun",
		splitting: true,
	});
	const isEntry = ({ kind }: Bun.BuildArtifact) => kind === "entry-point";
	// The entries last, since a program that starts then needs the chunks that they name.
	for (const output of [
		...outputs.filter((output) => !isEntry(output)),
		...outputs.filter(isEntry),
	])
		replace(folder + output.path, await output.text(), begun);
	removeOldChunks(outputs.map(({ path }) => path.replace("./", "")));
}

const folder = `${root}dist/program/`;

/** In one step, since a program may read it. Its time is the start of the build, so a source that was changed since is newer. */
function replace(path: string, text: string, time: Date): void {
	const partial = `${path}.${process.pid}`;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(partial, text);
	utimesSync(partial, time, time);
	renameSync(partial, path);
}

function removeOldChunks(current: readonly string[]): void {
	for (const name of readdirSync(folder))
		if (name.startsWith("chunk-") && !current.includes(name))
			rmSync(folder + name);
}
