// Runs the examples of docs/testing.md. The first line of each names its file and the command that must succeed.
import { describe, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
	existsSync,
	mkdtempSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { delimiter, dirname } from "node:path";
import { findBrowser } from "../harness/browser.ts";
import { succeed } from "../harness/package.ts";
import { root } from "../harness/process.ts";

export interface Project {
	readonly path: string;
	/** Whether npm has installed the package there, with other test runners. */
	readonly isInstalled: boolean;
	/** The executable of a newer Node.js. */
	readonly newerNode: string | undefined;
}

export interface Example {
	readonly file: string;
	readonly command: string;
	readonly code: string;
}

export function readExamples(): readonly Example[] {
	const text = readFileSync(`${root}docs/testing.md`, "utf8");
	const blocks = text.matchAll(
		/^```\w+\n(?<code>(?:\/\/|#) (?<file>[\w./]+)(?:: (?<command>[^\n]+))?\n.*?)^```$/gms,
	);
	return [...blocks].map(({ groups = {} }) => {
		const { code = "", file = "", command = "" } = groups;
		return { code, file, command };
	});
}

/** Registers the tests. Skips an example whose tool is not installed. */
export function testExamples(project: Project): void {
	const examples = readExamples().filter(({ command }) => command !== "");
	const missing = examples.flatMap((example) => {
		const tool = findMissing(example, project);
		return tool === undefined ? [] : [{ ...example, tool }];
	});
	if (missing.length > 0)
		console.warn(
			`not run: examples of docs/testing.md for ${missing.map(({ tool }) => tool).join(", ")} (not installed, or INSTALLED_IN is not set)`,
		);
	describe("the examples of docs/testing.md run", () => {
		for (const example of examples) {
			const isMissing = missing.some(({ code }) => code === example.code);
			test.skipIf(isMissing)(example.command, () => run(example, project));
		}
	});
}

async function run(
	{ file, command, code }: Example,
	project: Project,
): Promise<void> {
	const folder = mkdtempSync(`${project.path}/example-`);
	symlinkSync("../node_modules", `${folder}/node_modules`);
	writeFileSync(`${folder}/package.json`, "{}");
	writeFileSync(`${folder}/${file}`, code);
	if (command.includes("playwright"))
		writeFileSync(`${folder}/playwright.config.mjs`, await toConfig());
	await succeed(["sh", "-ec", command], folder, toEnv(project));
}

/** The missing tool, if any. */
function findMissing(
	{ command, code }: Example,
	{ path, isInstalled }: Project,
): string | undefined {
	const has = (name: string) => existsSync(`${path}/node_modules/${name}`);
	if (code.includes("testcontainers"))
		return has("testcontainers") && hasImage() ? undefined : "Docker";
	const [, fromNpm] = /npx (\w+)/.exec(command) ?? [];
	if (fromNpm === "bun") return undefined;
	if (fromNpm !== undefined)
		return has(`.bin/${fromNpm}`) ? undefined : fromNpm;
	const [program = ""] = command.split(" ");
	// Go compiles its standard library at the first run.
	const isThere =
		Bun.which(program) !== null && (program !== "go" || isInstalled);
	return isThere ? undefined : program;
}

function hasImage(): boolean {
	return (
		spawnSync("docker", ["image", "inspect", "petstore:0.1.0"]).status === 0
	);
}

/** Uses the browser of this project, started as in its own tests. */
async function toConfig(): Promise<string> {
	const { env, ...program } = (await findBrowser()) ?? {};
	const launchOptions = { ...program, env, args: ["--no-sandbox"] };
	return `export default ${JSON.stringify({ use: { launchOptions } })};`;
}

/** The newest Vitest needs a newer Node.js than 20. */
function toEnv({ newerNode }: Project): Record<string, string> {
	if (newerNode === undefined) return {};
	const { PATH = "" } = process.env;
	return { PATH: dirname(newerNode) + delimiter + PATH };
}
