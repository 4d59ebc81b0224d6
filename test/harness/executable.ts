// Builds the executable, and puts it into an empty folder with its licences.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { findOwnTarget } from "../../build/executable/targets.ts";
import { succeed } from "./package.ts";
import { root } from "./process.ts";

export interface Executable {
	/** In a folder with the licences and nothing else. */
	readonly path: string;
	/** The content of SHA256SUMS. */
	readonly checksums: string;
}

/** Takes some seconds and 120 MB in the folder. For another target than this machine, it downloads Bun from npm. */
export async function buildExecutable(
	folder: string,
	target = findOwnTarget(),
): Promise<Executable> {
	const out = `${folder}/out`;
	await succeed(
		[
			...([process.execPath, "build/executable/run.ts"] as const),
			...["--target", target, "--out", out],
		],
		root,
	);
	const checksums = readFileSync(`${out}/SHA256SUMS`, "utf8");
	const end = target.startsWith("windows") ? ".exe" : "";
	const path = `${folder}/alone/petstore${end}`;
	mkdirSync(`${folder}/alone`);
	copyFileSync(`${out}/petstore-${target}${end}`, path);
	copyFileSync(`${out}/licenses.txt`, `${folder}/alone/licenses.txt`);
	rmSync(out, { recursive: true });
	return { path, checksums };
}

/** The environment of a machine without Node.js, Bun and files of a user. */
export function toBareEnvironment(home: string): Record<string, string> {
	return { PATH: `${home}/nothing`, HOME: home };
}
