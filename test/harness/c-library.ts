// Libraries in C that change calls of a process, which loads them by LD_PRELOAD.
import { spawnSync } from "node:child_process";

/** Returns the variable that makes a process load it. */
export function buildLibrary(path: string, source: string) {
	const { status, stderr } = spawnSync(
		"cc",
		["-shared", "-fPIC", "-O2", "-xc", "-", "-o", path, "-ldl"],
		{ input: source, encoding: "utf8" },
	);
	if (status !== 0) throw new Error(`cc cannot build ${path}: ${stderr}`);
	return { LD_PRELOAD: path };
}

/** Why libraries cannot be built here, or undefined. */
export function librarySkipReason(): string | undefined {
	return process.platform === "linux" &&
		spawnSync("cc", ["--version"]).status === 0
		? undefined
		: "it needs Linux and a C compiler (cc)";
}
