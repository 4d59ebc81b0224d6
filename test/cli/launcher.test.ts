// bin/petstore.cjs, which npm runs as `petstore`: it passes signals and exit statuses on, and finds Bun. And bin/petstore of a checkout.
// NEWER_NODE names a second Node.js, which can replace itself by Bun.
import { describe, expect, test } from "bun:test";
import {
	cpSync,
	mkdirSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { root, start } from "../harness/process.ts";
import { copyProject } from "../harness/variant.ts";
import { usePlace } from "./place.ts";

const { INSTALLED_IN, NEWER_NODE } = process.env;
const home = INSTALLED_IN && `${INSTALLED_IN}/node_modules/${manifest.name}/`;
const launcher = `${home ?? root}${manifest.bin.petstore}`;
const place = usePlace();

const runtimes = ["node", ...(NEWER_NODE === undefined ? [] : [NEWER_NODE])];

describe.each(runtimes)("in %s", (node) => {
	const run = (...args: string[]) =>
		start([node, launcher, ...args], { cwd: place.path() });

	test("passes on the output and the exit status of the program", async () => {
		const [good, bad] = [run("--version"), run("nonsense")];
		const stdout = `${manifest.version}\n`;
		expect(await good.finished).toEqual({ status: 0, stdout, stderr: "" });
		expect((await bad.finished).status).toBe(2);
	});

	test.each(["SIGTERM", "SIGINT"] as const)(
		"passes %s to the program",
		async (signal) => {
			const service = run("serve", "--port=0", "--database=sqlite::memory:");
			await service.printed(/"listening"/);
			service.kill(signal);
			const { status, stderr } = await service.finished;
			expect([status, stderr]).toEqual([
				0,
				expect.stringContaining('"stopped"'),
			]);
		},
	);
});

test("runs the built program, and with bin/petstore the source if a file of it is newer", async () => {
	const copy = copyProject(place.path("copy"));
	const main = `${copy}/dist/program/src/cli/main.js`;
	const runWith = async (...command: [string, ...string[]]) =>
		(await start([...command, "--version"], { cwd: copy }).finished).stdout;
	const inCheckout = () => runWith(`${copy}/bin/petstore`);
	const built = "built\n";
	const source = `${manifest.version}\n`;
	expect(await inCheckout()).toBe(source);
	mkdirSync(dirname(main), { recursive: true });
	writeFileSync(main, 'console.log("built");');
	expect(await inCheckout()).toBe(built);
	const later = Date.now() / 1_000 + 60;
	for (const name of [
		"src/domain/errors.ts",
		"package.json",
		"conformance/cases.ts",
	]) {
		const { atimeMs, mtimeMs } = statSync(`${copy}/${name}`);
		utimesSync(`${copy}/${name}`, later, later);
		expect([name, await inCheckout()]).toEqual([name, source]);
		expect(await runWith("node", `${copy}/bin/petstore.cjs`)).toBe(built);
		utimesSync(`${copy}/${name}`, atimeMs / 1_000, mtimeMs / 1_000);
	}
	expect(await inCheckout()).toBe(built);
});

test("says in one line that Bun is missing, and finds it if its install script has not run", async () => {
	const modules = place.path("node_modules");
	const installed = `${modules}/petstore-service`;
	for (const part of ["bin", "package.json"])
		cpSync(root + part, `${installed}/${part}`, { recursive: true });
	const command = ["node", `${installed}/${manifest.bin.petstore}`] as const;
	const run = () => start(command, { cwd: place.path() }).finished;
	expect(await run()).toMatchObject({
		status: 1,
		stdout: "",
		stderr: expect.stringMatching(/^petstore: Bun is not installed; .*\n$/),
	});
	for (const part of ["bun/bin/bun.exe", "bun/package.json"])
		cpSync(`${root}node_modules/bun/package.json`, `${modules}/${part}`);
	const system = `bun-linux-${process.arch.replace("arm64", "aarch64")}`;
	const program = `${modules}/@oven/${system}/bin/bun`;
	mkdirSync(dirname(program), { recursive: true });
	writeFileSync(program, "#!/bin/sh\necho found", { mode: 0o755 });
	expect(await run()).toMatchObject({ status: 0, stdout: "found\n" });
});
