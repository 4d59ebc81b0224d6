// The git commands of a release, on a repository with one file.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../../harness/temporary.ts";
import { execute } from "../../release/command.ts";
import {
	cloneCheckout,
	commitAndTag,
	readCheckout,
	takeCommitAndTag,
	timeOfCommit,
} from "../../release/repository.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

test("reads the branch, the tags and the uncommitted files of a checkout", async () => {
	const { checkout } = await makeRepository("state");
	writeFileSync(`${checkout}/file`, "changed");
	writeFileSync(`${checkout}/new file`, "");
	expect(await readCheckout(checkout)).toEqual({
		branch: "main",
		changedFiles: ["file", '"new file"'],
		tags: ["v0.1.0"],
	});
});

test("copies the commit and the tag of the clone to the checkout, by its own author", async () => {
	const { checkout, clone, git } = await makeRepository("taken");
	await releaseIn(checkout, clone);
	expect(await git("log", "--format=%s")).toBe("First");
	await takeCommitAndTag(checkout, clone, "0.2.0");
	expect(await git("log", "--format=%s %an")).toBe(
		"Release 0.2.0 Ada\nFirst Ada",
	);
	expect(await git("describe")).toBe("v0.2.0");
	expect(readFileSync(`${checkout}/file`, "utf8")).toBe("released");
	expect(await git("status", "--porcelain")).toBe("");
	const age = Date.now() - (await timeOfCommit(clone)).getTime();
	expect(Math.abs(age)).toBeLessThan(60_000);
});

test("leaves a checkout that has a new commit unchanged", async () => {
	const { checkout, clone, git } = await makeRepository("moved");
	await releaseIn(checkout, clone);
	await git("commit", "--quiet", "--allow-empty", "--message", "Second");
	const head = await git("rev-parse", "HEAD");
	await expect(takeCommitAndTag(checkout, clone, "0.2.0")).rejects.toThrow(
		"fast-forward",
	);
	expect(await git("rev-parse", "HEAD")).toBe(head);
	expect(await git("tag")).toBe("v0.1.0");
});

async function releaseIn(checkout: string, clone: string): Promise<void> {
	await cloneCheckout(checkout, clone);
	writeFileSync(`${clone}/file`, "released");
	await commitAndTag(clone, "0.2.0");
}

async function makeRepository(name: string) {
	const checkout = `${folder.path}/${name}`;
	await execute(["git", "init", "--quiet", "-b", "main", name], folder.path);
	const git = (...args: string[]) => execute(["git", ...args], checkout);
	await git("config", "user.name", "Ada");
	await git("config", "user.email", "ada@example.com");
	writeFileSync(`${checkout}/file`, "first");
	await git("add", "file");
	await git("commit", "--quiet", "--message", "First");
	await git("tag", "v0.1.0");
	return { checkout, clone: `${checkout}-clone`, git };
}
