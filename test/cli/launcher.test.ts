// bin/petstore.cjs, which npm runs as `petstore`: it passes signals and exit statuses on, and finds Bun.
// NEWER_NODE names a second Node.js, which can replace itself by Bun.
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import manifest from "../../package.json" with { type: "json" };
import { root, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { copyProject } from "../harness/variant.ts";

const launcher = `${root}${manifest.bin.petstore}`;
const folder = temporaryFolder();
afterAll(() => folder.remove());

const { NEWER_NODE } = process.env;
const runtimes = ["node", ...(NEWER_NODE === undefined ? [] : [NEWER_NODE])];

describe("Launcher", () => {
	describe.each(runtimes)("in %s", (node) => {
		const env = { PETSTORE_API_KEY: "a-key-known-to-the-tests" };
		const run = (...args: string[]) =>
			start([node, launcher, ...args], { cwd: folder.path, env });

		test("passes on the output and the exit status of the program", async () => {
			const [good, bad] = [run("--version"), run("nonsense")];
			const stdout = `${manifest.version}\n`;
			expect(await good.finished).toEqual({ status: 0, stdout, stderr: "" });
			expect(await bad.finished).toMatchObject({
				status: 2,
				stderr: expect.stringContaining("unknown command 'nonsense'"),
			});
		});

		test("passes SIGTERM to the program", async () => {
			const service = run("serve", "--port=0", "--database=sqlite::memory:");
			await waitFor(
				() => /"listening"/.exec(service.output().stderr)?.[0],
				() => service.output().stderr,
			);
			service.kill("SIGTERM");
			expect((await service.finished).status).toBe(0);
			expect(service.output().stderr).toContain('"stopped"');
		});

		test("stops the sandbox at SIGINT", async () => {
			const service = run("sandbox", "--port=0");
			await waitFor(
				() => service.output().stdout || undefined,
				() => service.output().stderr,
			);
			service.kill("SIGINT");
			expect((await service.finished).status).toBe(0);
		});

		test("ends by the signal that killed the program", async () => {
			const child = spawn(node, [launcher, "sandbox", "--port=0"]);
			await once(child.stdout, "data");
			process.kill(programOf(child.pid ?? 0) ?? 0, "SIGKILL");
			expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
		});

		test("interrupts an import once when Ctrl-C reaches all processes of the terminal", async () => {
			const TMPDIR = mkdtempSync(`${folder.path}/import-`);
			const child = spawn(
				node,
				[launcher, "import", "-", "--format=csv", "--database=sqlite:new.db"],
				{
					cwd: folder.path,
					env: { PATH: process.env.PATH, TMPDIR },
					detached: true,
				},
			);
			const stderr = text(child.stderr);
			// More than a pipe holds: when it is written, the import has begun to read.
			const lines = `name,categoryId\n${"Rex,1\n".repeat(50_000)}`;
			await new Promise((resolve) => child.stdin.write(lines, resolve));
			process.kill(-(child.pid ?? 0), "SIGINT");
			const [status] = await once(child, "exit");
			expect([status, await stderr]).toEqual([
				128 + 2,
				"petstore: Interrupted by SIGINT; nothing was imported.\n",
			]);
			expect(readdirSync(TMPDIR)).toEqual([]);
		});
	});

	test("runs the built program in a checkout unless a source is newer, and always in the package", async () => {
		const copy = copyProject(`${folder.path}/copy`);
		const main = `${copy}/dist/program/src/cli/main.js`;
		const runBoth = async () => {
			const commands = [
				[`${copy}/bin/petstore`, "--version"],
				["node", `${copy}/bin/petstore.cjs`, "--version"],
			] as const;
			const runs = commands.map((one) => start(one, { cwd: copy }).finished);
			return (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
		};
		const built = ["built", "built"];
		const source = [manifest.version, manifest.version];
		expect(await runBoth()).toEqual(source);
		mkdirSync(dirname(main), { recursive: true });
		writeFileSync(main, 'console.log("built");');
		expect(await runBoth()).toEqual(built);
		const later = Date.now() / 1_000 + 60;
		for (const name of [
			...["src/domain/errors.ts", "src/domain", "src", "package.json"],
			"conformance/cases.ts",
		]) {
			const { atimeMs, mtimeMs } = statSync(`${copy}/${name}`);
			utimesSync(`${copy}/${name}`, later, later);
			expect([name, ...(await runBoth())]).toEqual([name, ...source]);
			utimesSync(`${copy}/${name}`, atimeMs / 1_000, mtimeMs / 1_000);
		}
		expect(await runBoth()).toEqual(built);
		rmSync(`${copy}/src`, { recursive: true });
		const [, launched] = await runBoth();
		expect(launched).toBe("built");
	});

	describe("Bun", () => {
		test("says in one line that Bun is missing", async () => {
			expect(await runIn(installWithoutBun())).toMatchObject({
				status: 1,
				stdout: "",
				stderr: expect.stringMatching(/^petstore: Bun is not installed; .*\n$/),
			});
		});

		/** Returns the folder of a project with the package and its dependencies, but no Bun. */
		function installWithoutBun(): string {
			const project = mkdtempSync(`${folder.path}/project-`);
			const installed = `${project}/node_modules/petstore-service`;
			mkdirSync(installed, { recursive: true });
			for (const part of ["bin", "src", "conformance", "package.json"])
				cpSync(root + part, `${installed}/${part}`, { recursive: true });
			for (const part of ["commander", "@commander-js"])
				symlinkSync(
					`${root}node_modules/${part}`,
					`${project}/node_modules/${part}`,
				);
			return project;
		}

		function runIn(project: string) {
			const path = `${project}/node_modules/petstore-service/${manifest.bin.petstore}`;
			return start(["node", path, "--version"], { cwd: project }).finished;
		}
	});
});

/** The process id of the program, which is that of the launcher or of its child. */
function programOf(launcherPid: number): number | undefined {
	const children = `/proc/${launcherPid}/task/${launcherPid}/children`;
	return [launcherPid, ...readText(children).split(" ").map(Number)].find(
		(pid) =>
			/^[^\0]*\bbun[^\0]*\0.*cli\/main\./.test(
				readText(`/proc/${pid}/cmdline`),
			),
	);
}

function readText(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
