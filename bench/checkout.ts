// Another version of the project, to compare with: a folder, or a commit in a temporary folder with the packages that it needs.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "../test/harness/process.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import type { Contender } from "./contenders.ts";

export async function checkOut(version: string): Promise<Contender> {
	const isFolder = existsSync(`${version}/bin/petstore`);
	const folder = isFolder ? resolve(version) : extract(version);
	build(folder);
	return { name: version, kind: "service", program: `${folder}/bin/petstore` };
}

/** Runs the build, because a service starts faster from it than from its source. */
export function build(folder: string): void {
	run(folder, "npm", "run", "--silent", "build");
}

function extract(commit: string): string {
	const { path } = temporaryFolder();
	run(path, "git", "-C", root, "archive", `--output=${path}/.tar`, commit);
	run(path, "tar", "-xf", ".tar");
	run(path, "npm", "ci", "--loglevel=error");
	return path;
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
	execFileSync(program, args, { cwd, stdio: ["ignore", 2, 2] });
}
