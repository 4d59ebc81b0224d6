// The git commands of a release. It commits in a clone, so that a failed release changes nothing in the checkout.
import { toTag } from "./checks.ts";
import { execute } from "./command.ts";

export async function readCheckout(checkout: string) {
	const git = gitIn(checkout);
	const status = toLines(await git("status", "--porcelain"));
	return {
		branch: await git("branch", "--show-current"),
		changedFiles: status.map((line) => line.replace(/^.. /, "")),
		tags: toLines(await git("tag")),
	};
}

/** Clones the branch, with the checkout's settings for commits and signatures. */
export async function cloneCheckout(
	checkout: string,
	clone: string,
): Promise<void> {
	await gitIn(checkout)("clone", "--quiet", ".", clone);
	const settings = toLines(
		await gitIn(checkout)("config", "--local", "--list"),
	);
	for (const setting of settings) {
		const [, name, value] =
			/^((?:user|gpg|commit|tag)\..*?)=(.*)$/.exec(setting) ?? [];
		if (name !== undefined && value !== undefined)
			await gitIn(clone)("config", name, value);
	}
}

export async function commitAndTag(
	clone: string,
	version: string,
): Promise<void> {
	const git = gitIn(clone);
	await git("commit", "--quiet", "--all", "--message", `Release ${version}`);
	await git(
		"tag",
		"--annotate",
		toTag(version),
		"--message",
		`Version ${version}`,
	);
}

/** Fails if the checkout's branch has new commits. */
export async function takeCommitAndTag(
	checkout: string,
	clone: string,
	version: string,
): Promise<void> {
	const git = gitIn(checkout);
	await git("pull", "--quiet", "--ff-only", "--no-tags", clone, "main");
	await git("fetch", "--quiet", clone, "tag", toTag(version));
}

export async function timeOfCommit(clone: string): Promise<Date> {
	const seconds = await gitIn(clone)("log", "-1", "--format=%ct");
	return new Date(Number(seconds) * 1000);
}

function gitIn(folder: string) {
	return (...args: string[]) => execute(["git", ...args], folder);
}

function toLines(text: string): string[] {
	return text === "" ? [] : text.split("\n");
}
