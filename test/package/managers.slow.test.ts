// Installs the tarball with npm, pnpm and Yarn into an empty project, and checks it with publint and arethetypeswrong. The tools come from
// npm.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { packageName, packPackage, succeed } from "../harness/package.ts";
import { start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
const tools = `${folder.path}/tools/node_modules`;
const installMs = 240_000;
let tarball: string;

beforeAll(async () => {
	tarball = await packPackage(folder.path);
	await install("npm", [
		...["install", "--silent", `--prefix=${folder.path}/tools`],
		...["pnpm@12.18.0", "@yarnpkg/cli-dist@4.18.1", "yarn1@npm:yarn@1.22.22"],
		...["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"],
	]);
}, installMs);
afterAll(() => folder.remove());

/** Keeps the environment's network settings. */
function install(program: string, args: string[], cwd = folder.path) {
	const env = Object.entries({ ...process.env, ...ownFolders });
	return succeed(
		[program, ...args],
		cwd,
		Object.fromEntries(env.map(([name, value = ""]) => [name, value])),
	);
}

const ownFolders = {
	YARN_GLOBAL_FOLDER: `${folder.path}/yarn`,
	YARN_CACHE_FOLDER: `${folder.path}/yarn-cache`,
	YARN_ENABLE_TELEMETRY: "0",
};

const yarn = `${tools}/@yarnpkg/cli-dist/bin/yarn.js`;
const store = `--store-dir=${folder.path}/pnpm`;
const managers: readonly [name: string, program: string, ...args: string[]][] =
	[
		["npm", "npm", "install", "--silent"],
		["npm without install scripts", "npm", "install", "--ignore-scripts"],
		["pnpm", `${tools}/.bin/pnpm`, "add", "--ignore-scripts", store],
		["Yarn", "node", yarn, "add"],
		["Yarn 1", "node", `${tools}/yarn1/bin/yarn.js`, "add", "--silent"],
	];

describe.each(managers)("%s", (name, program, ...args) => {
	const project = `${folder.path}/${name}`;
	beforeAll(async () => {
		makeProject(project, "nodeLinker: node-modules\n");
		await install(program, [...args, tarball], project);
	}, installMs);

	test("runs petstore sandbox, and stops it at SIGTERM", async () => {
		const command = ["node_modules/.bin/petstore", "sandbox", "--port=0"];
		const sandbox = start(["sh", "-c", `exec ${command.join(" ")}`], {
			cwd: project,
		});
		const url = await waitFor(
			() => /^ {2}Address +(\S+)$/m.exec(sandbox.output().stdout)?.[1],
			() => sandbox.output().stderr,
		);
		for (const path of ["/docs", "/console"])
			expect((await fetch(url + path)).status).toBe(200);
		sandbox.kill("SIGTERM");
		expect((await sandbox.finished).status).toBe(0);
	});

	test("runs the client and the test helper", async () => {
		writeFileSync(`${project}/use.mjs`, use);
		expect(await succeed(["node", "use.mjs"], project)).toBe("3\n");
	});
});

const use = `
import { createClient } from "${packageName}/client";
import { startPetstore } from "${packageName}/testing";
const { url, key, stop } = await startPetstore({ pets: 2 });
const client = createClient({ url, key });
console.log(String((await client.createPet({ name: "Rex", categoryId: 1n })).id));
await stop();
`;

test(
	"says what to set for Yarn's Plug'n'Play, which Bun does not support",
	async () => {
		const cwd = `${folder.path}/pnp`;
		makeProject(cwd, "nodeLinker: pnp\n");
		await install("node", [yarn, "add", tarball], cwd);
		const command = ["node", yarn, "petstore", "--version"] as const;
		const env = { ...ownFolders };
		const { status, stderr } = await start(command, { cwd, env }).finished;
		expect([status, stderr.trim()]).toEqual([
			1,
			'petstore: Bun does not find packages by Plug\'n\'Play; set "nodeLinker: node-modules" in .yarnrc.yml and run "yarn install".',
		]);
	},
	installMs,
);

test("passes publint and arethetypeswrong", async () => {
	const cwd = folder.path;
	await succeed([`${tools}/.bin/publint`, "run", tarball, "--strict"], cwd);
	const profile = ["--profile", "esm-only"] as const;
	await succeed([`${tools}/.bin/attw`, ...profile, tarball], cwd);
}, 60_000);

function makeProject(path: string, settings: string): void {
	mkdirSync(path);
	writeFileSync(`${path}/package.json`, '{"type":"module","license":"MIT"}');
	writeFileSync(`${path}/.yarnrc.yml`, settings);
	writeFileSync(`${path}/yarn.lock`, "");
}
