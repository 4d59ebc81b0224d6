// The commands in pages and messages run this program in the way that it was started.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { toCaller } from "../../src/program.ts";
import { root, run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

describe("Commands in pages and messages", () => {
	const checkout = {
		variable: undefined,
		executable: undefined,
		folder: "/home/me/petstore/",
		cwd: "/home/me/petstore",
		platform: "linux",
	};
	const inProject = "/home/me/shop/node_modules/petstore-service/";
	const inCache = "/root/.npm/_npx/1f/node_modules/petstore-service/";
	const launcher = "bin/petstore.cjs";

	test.each([
		["in the checkout", {}, "npx petstore"],
		["in a folder of it", { cwd: "/home/me/petstore/..data" }, "npx petstore"],
		[
			"in a project",
			{ folder: inProject, cwd: "/home/me/shop" },
			"npx petstore",
		],
		[
			"elsewhere, where npx would run a package of somebody else",
			{ cwd: "/home/me" },
			`node /home/me/petstore/${launcher}`,
		],
		[
			"from the cache of npx",
			{ folder: inCache, cwd: "/home/me/shop" },
			`node ${inCache}${launcher}`,
		],
		["an executable", { executable: "./petstore" }, "./petstore"],
		[
			"an executable whose path needs quotes",
			{ executable: "/home/me/it's mine/petstore" },
			"'/home/me/it'\\''s mine/petstore'",
		],
		[
			"an executable of Windows",
			{ executable: "C:\\bin\\petstore.exe", platform: "win32" },
			"C:\\bin\\petstore.exe",
		],
		[
			"an executable of Windows whose path needs quotes",
			{ executable: "C:\\my bin\\petstore.exe", platform: "win32" },
			'"C:\\my bin\\petstore.exe"',
		],
		[
			"the image, which sets a variable",
			{ variable: "docker exec CONTAINER petstore", executable: "/petstore" },
			"docker exec CONTAINER petstore",
		],
		["an empty variable counts as unset", { variable: "" }, "npx petstore"],
	])("show the right command: %s", (_where, start, caller) => {
		expect(toCaller({ ...checkout, ...start })).toBe(caller);
	});

	test("show PETSTORE_COMMAND if it is set", async () => {
		const { path: cwd } = temporaryFolder();
		const env = {
			PETSTORE_COMMAND: "kubectl exec deploy/petstore -- petstore",
		};
		const { url, output, kill, finished } = await serve([], { cwd, env });
		await waitFor(
			() =>
				output().stdout.includes(
					`"${env.PETSTORE_COMMAND} console --url ${url}" makes`,
				) || undefined,
			() => output().stdout,
		);
		for (const [path, words] of [
			["/", "keys create --name me"],
			["/console", "console"],
			["/console", "backup"],
		]) {
			const page = await fetch(url + path, {
				headers: { Accept: "text/html" },
			});
			expect(await page.text()).toContain(`${env.PETSTORE_COMMAND} ${words}`);
		}
		kill("SIGTERM");
		await finished;
	});

	test("show a command that runs from the current folder", async () => {
		const { path: cwd } = temporaryFolder();
		const { stderr } = await run(["keys", "list", "--nothing"], { cwd });
		expect(stderr).toContain(
			`Run "node ${root}${launcher} keys list --help" to see its arguments and flags.`,
		);
		expect((await run(["srve"], { cwd: root })).stderr).toContain(
			'Run "npx petstore --help" to see',
		);
	});
});

describe("in the text of the project", () => {
	const files = ["src", "bin", "docs", "deploy", "examples"].flatMap((folder) =>
		readdirSync(root + folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && !entry.name.endsWith(".png"))
			.map(({ parentPath, name }) => `${parentPath}/${name}`),
	);
	const documents = readdirSync(root)
		.filter((name) => name.endsWith(".md") || name === "Dockerfile")
		.map((name) => root + name);

	test("no command downloads a package that nobody has registered", () => {
		const downloads =
			/\b(npx|bunx|npm exec|npm init|pnpm dlx|yarn dlx)\s+(-\S+ +)*petstore-service(?!-)/;
		const wrong = [...files, ...documents].filter((file) =>
			downloads.test(readFileSync(file, "utf8")),
		);
		expect(wrong).toEqual([]);
	});

	test("pages and the command line take commands to copy from src/program.ts", () => {
		// Examples in help texts start a line with the name of the program.
		const written = /["'`>]petstore [a-z]/;
		const wrong = files
			.filter((file) => /\/src\/(cli|web)\//.test(file))
			.filter((file) => {
				const text = readFileSync(file, "utf8");
				return written.test(text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ""));
			});
		expect(wrong).toEqual([]);
	});
});
