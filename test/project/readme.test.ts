// The README's commands work as printed.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { petstore, root, start } from "../harness/process.ts";

const read = (path: string) => readFileSync(root + path, "utf8");
/** Fenced blocks in their order. */
const blocks = [...read("README.md").matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
	([, language = "", text = ""]) => ({ language, text }),
);

test("the README has the test command that CI runs", () => {
	expect(blocks.at(-1)?.text).toBe("npm ci && npm test\n");
	expect(read(".ci/run")).toContain("\nnpm ci && npm test ");
});

test("the README's commands work on a sandbox, with their output", async () => {
	const [install, ...examples] = blocks.slice(0, -1);
	expect(install?.text).toContain("npx petstore sandbox\n");
	const sandbox = start([petstore, "sandbox", "--port", "0"], { cwd: root });
	const [, host = ""] = await sandbox.printed(/Address +http:\/\/(\S+)/);
	for (const [index, { language, text }] of examples.entries()) {
		if (language !== "sh") continue;
		const command = text.replaceAll("127.0.0.1:8080", host);
		const shell = start(["sh", "-ec", command], { cwd: root });
		const { status, stdout } = await shell.finished;
		expect([text, status]).toEqual([text, 0]);
		const shown = examples[index + 1];
		if (shown?.language === "json")
			expect(stdout.trimEnd()).toBe(shown.text.trimEnd());
	}
	await sandbox.stop();
}, 60_000);
