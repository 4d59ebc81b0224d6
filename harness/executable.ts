// The executable for this machine, built from the project and then alone in an empty folder.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { findOwnTarget } from "../build/executable/targets.ts";
import { succeed } from "./package.ts";
import { root } from "./process.ts";

export interface Executable {
	/** The executable, which is the only file of its folder. */
	readonly path: string;
	/** What the build has written to SHA256SUMS. */
	readonly checksums: string;
}

/** Takes some seconds and 120 MB in the folder. */
export async function buildExecutable(folder: string): Promise<Executable> {
	const out = `${folder}/out`;
	await succeed(
		[process.execPath, "build/executable/run.ts", "--out", out],
		root,
	);
	const checksums = readFileSync(`${out}/SHA256SUMS`, "utf8");
	const end = process.platform === "win32" ? ".exe" : "";
	const path = `${folder}/alone/petstore${end}`;
	mkdirSync(`${folder}/alone`);
	copyFileSync(`${out}/petstore-${findOwnTarget()}${end}`, path);
	rmSync(out, { recursive: true });
	return { path, checksums };
}

/** The environment of a machine that has nothing else: no Node.js, no Bun and no files of a user. */
export function toBareEnvironment(home: string): Record<string, string> {
	return { PATH: `${home}/nothing`, HOME: home };
}
