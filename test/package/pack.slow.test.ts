// `npm pack` changes no tracked file, however it ends, and the next one packs the same files.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import {
	copyCheckout,
	linkDevelopmentPackages,
	succeed,
	tarball,
} from "../harness/package.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
const clone = `${folder.path}/clone`;
const served = [
	`${clone}/dist/program/src/cli/main.js`,
	`${clone}/dist/pages/console.js`,
];
let packed: string;
let duration: number;

beforeAll(async () => {
	copyCheckout(clone);
	linkDevelopmentPackages(clone);
	await git("init", "--quiet");
	await git("add", "--all");
	const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
	await git(...author, "commit", "--quiet", "--message", "Everything");
	const begun = performance.now();
	packed = await pack();
	duration = performance.now() - begun;
}, 60_000);
afterAll(() => folder.remove());

test.each(["SIGINT", "SIGKILL"] as const)(
	"leaves tracked files alone if %s ends it at any moment",
	async (signal) => {
		const moments = 8;
		let interrupted = 0;
		for (let moment = 1; moment <= moments; moment++) {
			const child = spawn("npm", ["pack"], {
				cwd: clone,
				// A process group, as a terminal makes one.
				detached: true,
				stdio: "ignore",
			});
			const ended = once(child, "exit");
			// Another pack may be faster.
			await Bun.sleep((duration * moment) / (2 + moments));
			if (child.exitCode === null && child.pid !== undefined)
				process.kill(-child.pid, signal);
			const [status] = await ended;
			if (status !== 0) interrupted++;
			expect(await git("status", "--porcelain")).toBe("");
		}
		expect(interrupted).toBeGreaterThan(moments / 4);
		expect(await pack()).toBe(packed);
	},
	120_000,
);

test("leaves tracked files alone if it cannot write its file", async () => {
	const nowhere = `${folder.path}/nowhere/at/all`;
	const failed = succeed(["npm", "pack", "--pack-destination", nowhere], clone);
	await expect(failed).rejects.toThrow("ENOENT");
	expect(await git("status", "--porcelain")).toBe("");
	expect(await pack()).toBe(packed);
});

test("packs nothing that an earlier build left, and takes no file away that a service reads", async () => {
	const main = readFileSync(served[0] ?? "", "utf8");
	for (const path of ["dist/.build-1/pages", "dist/cjs/old"])
		mkdirSync(`${clone}/${path}`, { recursive: true });
	for (const path of ["dist/old.js", "dist/.build-1/pages/old.js"])
		writeFileSync(`${clone}/${path}`, "old");
	writeFileSync(served[0] ?? "", "old");
	let isPacking = true;
	const packing = pack().finally(() => {
		isPacking = false;
	});
	while (isPacking) {
		expect(served.filter((path) => !existsSync(path))).toEqual([]);
		await Bun.sleep(1);
	}
	expect(await packing).toBe(packed);
	expect(readFileSync(served[0] ?? "", "utf8")).toBe(main);
});

/** Returns the names of the packed files. */
async function pack(): Promise<string> {
	await succeed(["npm", "pack", "--pack-destination", folder.path], clone);
	return succeed(["tar", "-tf", tarball], folder.path);
}

function git(...args: string[]): Promise<string> {
	return succeed(["git", ...args], clone);
}
