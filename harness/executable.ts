// The executable, built from the project and then alone in an empty folder.
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

/** Takes some seconds and 120 MB in the folder. For another machine than this one it downloads Bun from npm. */
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
	rmSync(out, { recursive: true });
	return { path, checksums };
}

/** The environment of a machine that has nothing else: no Node.js, no Bun and no files of a user. */
export function toBareEnvironment(home: string): Record<string, string> {
	return { PATH: `${home}/nothing`, HOME: home };
}
