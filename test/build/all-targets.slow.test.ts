// Builds an executable for every target, with its Bun from npm. Other tests run the one for this machine.
import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { targets } from "../../build/executable/targets.ts";
import { succeed } from "../harness/package.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

/** The first bytes of a program for each system and processor, as offset and bytes. */
const beginnings: Readonly<Record<string, readonly [number, string][]>> = {
	"linux-x64": [
		[0, "7f454c46"],
		[18, "3e00"],
	],
	"linux-arm64": [
		[0, "7f454c46"],
		[18, "b700"],
	],
	"darwin-x64": [[0, "cffaedfe07000001"]],
	"darwin-arm64": [[0, "cffaedfe0c000001"]],
	"windows-x64": [[0, "4d5a"]],
};

test("builds an executable for the system and the processor of every target", async () => {
	const folder = temporaryFolder();
	await succeed(
		[
			...([process.execPath, "build/executable/run.ts"] as const),
			...["--target", "all", "--out", folder.path],
		],
		root,
	);
	for (const { name, executable } of targets) {
		const head = readHead(`${folder.path}/${executable}`);
		const beginning = beginnings[name.replace("-musl", "")] ?? [];
		expect([name, beginning.length]).not.toEqual([name, 0]);
		for (const [at, bytes] of beginning)
			expect([name, head.slice(2 * at, 2 * at + bytes.length)]).toEqual([
				name,
				bytes,
			]);
	}
	const sums = readFileSync(`${folder.path}/SHA256SUMS`, "utf8");
	expect(sums.trim().split("\n")).toHaveLength(targets.length);
	await succeed(["sha256sum", "--check", "SHA256SUMS"], folder.path);
	folder.remove();
}, 900_000);

/** In hexadecimal. */
function readHead(path: string): string {
	const head = Buffer.alloc(32);
	const file = openSync(path, "r");
	readSync(file, head);
	closeSync(file);
	return head.toString("hex");
}
