// Reads the checked-out commit, for the version of an executable.
import { spawnSync } from "node:child_process";
import { root } from "../root.ts";

/** Undefined outside a repository. */
export function readCommit(): string | undefined {
	const id = git("rev-parse", "--short=7", "HEAD");
	if (id === undefined) return undefined;
	return git("status", "--porcelain") === "" ? id : `${id}, changed`;
}

function git(...args: readonly string[]): string | undefined {
	const { status, stdout } = spawnSync("git", args, {
		cwd: root,
		encoding: "utf8",
	});
	return status === 0 ? stdout.trim() : undefined;
}
